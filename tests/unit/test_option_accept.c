/* SPDX-License-Identifier: BSD-3-Clause */
/* What is accepted, in every spelling that users of OMB and their scripts are
   used to, and what becomes of it. */
#include "unit_parse.h"

#include "groups/groups.h"
#include "neighbors/neighbors.h"
#include "overlap/overlap.h"
#include "partitions/partitions.h"
#include "processes/processes.h"
#include "rma/rma.h"
#include "threads/threads.h"

/* One value in the settings that a line must have led to. */
#define PICK(field)                                                            \
    static double pick_##field(const struct settings *s)                       \
    {                                                                          \
        return (double)s->field;                                               \
    }
static double pick_laps(const struct settings *s)
{
    return (double)s->laps.step[0].n;
}
static double pick_warmup(const struct settings *s)
{
    return (double)s->warmup.step[0].n;
}
PICK(window)
PICK(buffers)
PICK(pairs)
PICK(print_rate)
PICK(in_place)
PICK(root)
PICK(full)
PICK(check)
PICK(verify_off)
PICK(raw)
PICK(dry_run)
PICK(ranks)
PICK(start)
PICK(device)
static double pick_device_words(const struct settings *s)
{
    return settings_device_words(s);
}
static double pick_source(const struct settings *s)
{
    return s->place[0];
}
static double pick_destination(const struct settings *s)
{
    return s->place[1];
}
PICK(nwords)
PICK(precision)
PICK(budget_s)
PICK(total_s)
PICK(timeout_s)
PICK(memory_limit)
PICK(clock)
PICK(order)
PICK(seed)
PICK(use)
PICK(pool)
PICK(touch)
PICK(graphs)
PICK(nevents)
PICK(vary_window)

/* The same of a family's settings. */
#define PICK_OF(of, name, field)                                               \
    static double pick_##name(const struct settings *s)                        \
    {                                                                          \
        return (double)of##_settings(s)->field;                                \
    }
PICK_OF(overlap, tests, tests)
PICK_OF(rma, sync, sync)
PICK_OF(rma, window_kind, window_kind)
PICK_OF(partitions, partitions, n)
PICK_OF(partitions, ready_threads, threads)
PICK_OF(partitions, ready, order)
PICK_OF(partitions, ready_seed, seed)

static double pick_sides(const struct settings *s)
{
    const int *side = threads_settings(s)->side;

    return 1000 * side[0] + side[1];
}

/* Those of these families are a number, or two, and nobody else's. */
static double pick_groups(const struct settings *s)
{
    return *(const int *)s->family;
}

static double pick_processes(const struct settings *s)
{
    const int *side = s->family;

    return 1000 * side[0] + side[1];
}

static const struct value_row {
    const char *line;
    unsigned takes;
    double (*pick)(const struct settings *s);
    double expected;
    const struct family *family;
} value_rows[] = {
    { "-i 5", TAKES_BW, pick_laps, 5 },
    { "-i5", TAKES_BW, pick_laps, 5 },
    { "--iterations 5", TAKES_BW, pick_laps, 5 },
    { "--iterations=1000000000", TAKES_BW, pick_laps, 1e9 },
    { "-i 1", TAKES_BARRIER, pick_laps, 1 },
    { "-x 0", TAKES_BW, pick_warmup, 0 },
    { "-i 5 -x 7", TAKES_BW, pick_warmup, 7 },
    { "-i 5 -i 6", TAKES_BW, pick_laps, 6 },
    { "-i 8:5:3 -i 6", TAKES_BW, pick_laps, 6 },
    { "-x 8192:5:0", TAKES_BW, pick_warmup, 5 },
    { "-W 1", TAKES_BW, pick_window, 1 },
    { "-W 16777216", TAKES_BW, pick_window, 16777216 },
    { "-W64", TAKES_MBW_MR, pick_window, 64 },
    { "--window 8", TAKES_BW, pick_window, 8 },
    { "-b multiple", TAKES_BW, pick_buffers, 1 },
    { "-b SINGLE", TAKES_BW, pick_buffers, 0 },
    { "-p 3", TAKES_MBW_MR, pick_pairs, 3 },
    { "-R 0", TAKES_MBW_MR, pick_print_rate, 0 },
    { "-R 1", TAKES_MBW_MR, pick_print_rate, 1 },
    { "-l", TAKES_ALLREDUCE, pick_in_place, 1 },
    { "", TAKES_REDUCE, pick_root, 0 },
    { "-k fixed:12", TAKES_REDUCE, pick_root, 12 },
    { "-k ROTATE", TAKES_REDUCE, pick_root, ROOT_ROTATES },
    { "-k rotate -k fixed:0", TAKES_REDUCE, pick_root, 0 },
    { "-t 100", TAKES_ALLREDUCE, pick_tests, 100, &overlap_family },
    { "-t 3", TAKES_LATENCY, pick_sides, 1003, &threads_family },
    { "-t 2:128", TAKES_LATENCY, pick_sides, 2128, &threads_family },
    { "-t 2:3 -t 4", TAKES_LATENCY, pick_sides, 1004, &threads_family },
    { "-t 4", TAKES_LATENCY, pick_processes, 4004, &processes_family },
    { "--num-processes 0:3", TAKES_LATENCY, pick_processes, 3,
      &processes_family },
    { "-i 1", TAKES_LATENCY, pick_processes, 2002, &processes_family },
    { "-q 5", TAKES_LATENCY, pick_partitions, 5, &partitions_family },
    { "--pready-order random:9", TAKES_LATENCY, pick_ready_seed, 9,
      &partitions_family },
    { "--pready-threads 3", TAKES_LATENCY, pick_ready_threads, 3,
      &partitions_family },
    { "--pready-order Down", TAKES_LATENCY, pick_ready, ORDER_DOWN,
      &partitions_family },
    { "-V", TAKES_MBW_MR, pick_vary_window, 1 },
    { "--groups 4", TAKES_BW, pick_groups, 4, &groups_family },
    { "-s lock", TAKES_RMA, pick_sync, RMA_LOCK, &rma_family },
    { "-s flush", TAKES_RMA, pick_sync, RMA_FLUSH, &rma_family },
    { "-s flush_local", TAKES_RMA, pick_sync, RMA_FLUSH_LOCAL, &rma_family },
    { "-s lock_all", TAKES_RMA, pick_sync, RMA_LOCK_ALL, &rma_family },
    { "-s PSCW", TAKES_RMA, pick_sync, RMA_PSCW, &rma_family },
    { "-s fence", TAKES_RMA, pick_sync, RMA_FENCE, &rma_family },
    { "-w create", TAKES_RMA, pick_window_kind, WINDOW_CREATE, &rma_family },
    { "-w allocate", TAKES_RMA, pick_window_kind, WINDOW_ALLOCATE,
      &rma_family },
    { "-w Dynamic", TAKES_RMA, pick_window_kind, WINDOW_DYNAMIC, &rma_family },
    { "-w allocate_shared", TAKES_RMA, pick_window_kind, WINDOW_ALLOCATE_SHARED,
      &rma_family },
    { "-s fence", TAKES_ACTIVE, pick_sync, RMA_FENCE, &rma_family },
    { "-f", TAKES_LATENCY, pick_full, 1 },
    { "-f", TAKES_RMA, pick_full, 1, &rma_family },
    { "-f", TAKES_BARRIER, pick_full, 1 },
    { "-f", TAKES_INIT, pick_full, 1 },
    { "-fc", TAKES_BW, pick_full, 1 },
    { "-fc", TAKES_BW, pick_check, 1 },
    { "--validation", TAKES_BW, pick_check, 1 },
    { "-c -u 10", TAKES_BW, pick_check, 1 },
    { "-c -u 0", TAKES_BW, pick_check, 1 },
    { "--no-verify", TAKES_BW, pick_verify_off, 1 },
    { "--raw", TAKES_BW, pick_raw, 1 },
    { "--dry-run", TAKES_BW, pick_dry_run, 1 },
    { "--ranks 100000", TAKES_BW, pick_ranks, 100000 },
    { "--start library", TAKES_BW, pick_start, START_LIBRARY },
    { "--start=Dissemination", TAKES_BW, pick_start, START_DISSEMINATION },
    { "--start=OWN", TAKES_BW, pick_start, START_DISSEMINATION },
    { "-d cuda", TAKES_LATENCY, pick_device, DEVICE_CUDA },
    { "-d CUDA", TAKES_INIT, pick_device, DEVICE_CUDA },
    { "-d Managed", TAKES_LATENCY, pick_device, DEVICE_MANAGED },
    { "-dROCM", TAKES_LATENCY, pick_device, DEVICE_ROCM },
    { "-d openacc", TAKES_LATENCY, pick_device, DEVICE_OPENACC },
    { "-d host", TAKES_LATENCY, pick_device, DEVICE_HOST },
    { "-i 5 D D", TAKES_LATENCY, pick_device_words, 1 },
    { "D D -i 5", TAKES_LATENCY, pick_device_words, 1 },
    { "D D -i 5", TAKES_LATENCY, pick_laps, 5 },
    { "-i 5 d h", TAKES_LATENCY, pick_device_words, 1 },
    { "H H", TAKES_LATENCY, pick_device_words, 0 },
    { "h h", TAKES_LATENCY, pick_nwords, 2 },
    { "H", TAKES_LATENCY, pick_nwords, 1 },
    { "M H", TAKES_LATENCY, pick_device_words, 1 },
    { "MD MH", TAKES_LATENCY, pick_nwords, 2 },
    { "HH H", TAKES_LATENCY, pick_device_words, 0 },
    { "hh h", TAKES_LATENCY, pick_nwords, 2 },
    { "hh h", TAKES_LATENCY, pick_source, PLACE_HUGE },
    { "H hh", TAKES_LATENCY, pick_destination, PLACE_HUGE },
    { "-- D H", TAKES_LATENCY, pick_nwords, 2 },
    { "--precision 0.5%", TAKES_BW, pick_precision, 0.005 },
    { "--precision 2", TAKES_BW, pick_precision, 0.02 },
    { "--budget 50ms", TAKES_BW, pick_budget_s, 0.05 },
    { "--budget 250us", TAKES_BW, pick_budget_s, 250e-6 },
    { "--budget 0.5", TAKES_BW, pick_budget_s, 0.5 },
    { "--budget 10s", TAKES_BW, pick_budget_s, 10 },
    { "--total 2m", TAKES_BW, pick_total_s, 120 },
    { "--timeout 0", TAKES_BW, pick_timeout_s, 0 },
    { "--timeout 3", TAKES_INIT, pick_timeout_s, 3 },
    { "-M 64M", TAKES_BW, pick_memory_limit, 64 * MiB },
    { "-M 1", TAKES_ALLREDUCE, pick_memory_limit, 1 },
    { "--start clock", TAKES_BARRIER, pick_start, START_CLOCK },
    { "--clock auto", TAKES_BW, pick_clock, CLOCK_AUTO },
    { "--clock TSC", TAKES_BARRIER, pick_clock, CLOCK_TSC },
    { "--clock=posix", TAKES_BW, pick_clock, CLOCK_POSIX },
    { "--clock mpi", TAKES_BW, pick_clock, CLOCK_MPI },
    { "--order up", TAKES_BW, pick_order, ORDER_UP },
    { "--order Down", TAKES_BW, pick_order, ORDER_DOWN },
    { "--order random", TAKES_BW, pick_order, ORDER_RANDOM },
    { "--order random", TAKES_BW, pick_seed, 0 },
    { "--order random:17", TAKES_BW, pick_order, ORDER_RANDOM },
    { "--order random:17", TAKES_BW, pick_seed, 17 },
    { "--order random:17 --order random", TAKES_BW, pick_seed, 0 },
    { "--buffers reuse", TAKES_BW, pick_use, BUFFERS_REUSE },
    { "--buffers rotate", TAKES_BW, pick_use, BUFFERS_ROTATE },
    { "--buffers rotate", TAKES_BW, pick_pool, 0 },
    { "--buffers=rotate:2M", TAKES_BW, pick_use, BUFFERS_ROTATE },
    { "--buffers=rotate:2M", TAKES_BW, pick_pool, 2 * MiB },
    { "--buffers rotate:2M --buffers rotate", TAKES_BW, pick_pool, 0 },
    { "--buffers ROTATE", TAKES_BW, pick_use, BUFFERS_ROTATE },
    { "--touch", TAKES_BW, pick_touch, 1 },
    { "-G png,PDF --graph=svg", TAKES_BW, pick_graphs,
      GRAPH_PNG | GRAPH_PDF | GRAPH_SVG },
    { "-P PAPI_TOT_INS,perf::CYCLES --papi=a:b:x.out", TAKES_BW, pick_nevents,
      3 },
    { "-Gtty", TAKES_BARRIER, pick_graphs, GRAPH_TTY },
};

static void leads_to_value(void **state)
{
    const struct value_row *row = *state;
    struct unit_parsed p;

    unit_parse_of(&p,
                  &(struct bench){ .takes = row->takes, .family = row->family },
                  row->line);
    assert_string_equal(p.why, "");
    assert_int_equal(p.outcome, OPTION_PROCEED);
    assert_near(row->pick(&p.settings), row->expected, 1e-12);
    settings_release(&p.settings);
}

static const struct sizes_row {
    const char *line;
    size_t min, max;
} sizes_rows[] = {
    { "-m 8", 1, 8 },
    { "-m 8:8", 8, 8 },
    { "-m 2:", 2, 4 * MiB },
    { "-m :16384", 1, 16384 },
    { "-m:1048576", 1, 1048576 },
    { "-m1:4M", 1, 4 * MiB },
    { "--message-size=64k:1g", 65536, 1 << 30 },
    { "-i 5 --message-size 0:0", 0, 0 },
};

static void leads_to_sizes(void **state)
{
    const struct sizes_row *row = *state;
    struct unit_parsed p;

    unit_parse(&p, TAKES_LATENCY, row->line);
    assert_int_equal(p.outcome, OPTION_PROCEED);
    assert_int_equal(p.settings.sizes.min, row->min);
    assert_int_equal(p.settings.sizes.max, row->max);
    settings_release(&p.settings);
}

/* A program may have one option of its own that names values of a parameter. */
static const struct parameter_row {
    const char *line, *option;
    long value[4];
    int n;
} parameter_rows[] = {
    { "--queue-depth 2,4,8", "queue-depth", { 2, 4, 8 }, 3 },
    { "--peers 8,2,8,4,2", "peers", { 8, 2, 4 }, 3 },
    { "--compute 50,0", "compute", { 50, 0 }, 2 },
    { "--reuse 16,4,4", "reuse", { 16, 4 }, 2 },
    { "--peers 1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1",
      "peers",
      { 1 },
      1 },
};

/* As they are named, and each once. */
static void leads_to_values(void **state)
{
    const struct parameter_row *row = *state;
    struct unit_parsed p;

    unit_parse_of(&p,
                  &(struct bench){ .parameter = { .name = "Name",
                                                  .option = row->option,
                                                  .argument = "N[,N...]",
                                                  .help = "values" } },
                  row->line);
    assert_int_equal(p.outcome, OPTION_PROCEED);
    assert_int_equal(p.settings.nparameters, row->n);
    for (int i = 0; i < row->n; i++)
        assert_int_equal(p.settings.parameter[i], row->value[i]);
    settings_release(&p.settings);
}

static const struct event_row {
    const char *line;
    int event;
} event_rows[] = {
    { "-h", EVENT_USAGE },          { "--help", EVENT_HELP },
    { "--usage", EVENT_USAGE },     { "-v", EVENT_VERSION },
    { "--version", EVENT_VERSION }, { "--list", EVENT_LIST },
    { "-i 5 -h", EVENT_USAGE },     { "-h --foo", EVENT_USAGE },
    { "-fh", EVENT_USAGE },         { "--vers", EVENT_VERSION },
};

static void ends_in_event(void **state)
{
    const struct event_row *row = *state;
    struct unit_parsed p;

    unit_parse(&p, TAKES_INIT | TAKES_LAPS, row->line);
    assert_int_equal(p.outcome, OPTION_STOP);
    assert_int_equal(p.event, row->event);
    settings_release(&p.settings);
}

static void texts_are_kept_as_given(void **state)
{
    struct unit_parsed p;

    (void)state;
    unit_parse_of(
        &p, &(struct bench){ .takes = TAKES_ALL, .family = &neighbors_family },
        "--json a,b.json --csv=x -N graph:f");
    assert_int_equal(p.outcome, OPTION_PROCEED);
    assert_string_equal(p.settings.json, "a,b.json");
    assert_string_equal(p.settings.csv, "x");
    assert_string_equal(neighbors_settings(&p.settings)->topology, "graph:f");
    settings_release(&p.settings);
}

int main(void)
{
    static struct unit_list list;

    UNIT_ADD_ROWS(&list, value_rows, leads_to_value);
    UNIT_ADD_ROWS(&list, sizes_rows, leads_to_sizes);
    UNIT_ADD_ROWS(&list, parameter_rows, leads_to_values);
    UNIT_ADD_ROWS(&list, event_rows, ends_in_event);
    UNIT_ADD(&list, texts_are_kept_as_given);
    return unit_run("option_accept", &list);
}
