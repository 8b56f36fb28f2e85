/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a program prints: its columns, the time that it overlaps, and the bandwidth of a bus.
 */
#include "unit_parse.h"

#include "collective/collective.h"
#include "overlap/overlap.h"
#include "report/report.c"
#include "report/result.h"
#include "run/prepare.h"

/* --- Report --------------------------------------------------------------- */

/* Which columns a program prints for which options, and their values; tests/run/layouts
   has whole tables, to the last byte. */

enum { SENDS = TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK };

static const struct bench latency = {
    .title = "OSU MPI@ Latency Test",
    .takes = SENDS,
    .flow = &flow_ping_pong,
    .report = &report_round_trip,
};
static const struct bench bw = {
    .title = "OSU MPI@ Bandwidth Test",
    .takes = SENDS | TAKES_WINDOW,
    .flow = &flow_ping_pong,
    .report = &report_bandwidth,
};
static const struct bench bibw = {
    .title = "OSU MPI@ Bi-Directional Bandwidth Test",
    .takes = SENDS | TAKES_WINDOW,
    .flow = &flow_ping_pong,
    .report = &report_both_ways,
};
static const struct bench allreduce = {
    .title = "OSU MPI@ Allreduce Latency Test",
    .takes = SENDS,
    .flow = &flow_reduce_all,
    .report = &report_collective,
};
static const struct bench iallreduce = {
    .title = "OSU MPI@ Non-blocking Allreduce Latency Test",
    .takes = SENDS,
    .flow = &flow_reduce_all,
    .report = &report_overlap,
    .family = &overlap_family,
};

/* Iterations of 10 times 1 us and 10 times 3 us; other values are all different, so
   that none can stand in another's column. */
static struct series series;
static const struct row whole = { .bytes = 4, .element = ELEMENT_FLOAT };

static struct result result_of(const struct context *c, double iteration[20])
{
    struct result r = {
        .row = &whole,
        .moved = 10,
        .verified.checked = 1,
        .iterations = 1000,
        .mean = 2e-6,
        .mean_min = 1.5e-6,
        .mean_max = 2.5e-6,
        .series = &series,
        .family = c->run->family,
    };

    for (int i = 0; i < 20; i++)
        iteration[i] = i < 10 ? 1e-6 : 3e-6;
    r.over_iterations = stats_of(iteration, 20);
    series = (struct series){ .n = 20, .kept = 20, .sorted = iteration };
    report_figure(c, &r);
    return r;
}

/* The state of a family in this run; to be freed. */
static void *state_of(const struct context *c)
{
    const struct family *family = c->bench->family;
    void *state = family != NULL ? calloc(1, family->state) : NULL;

    if (family == NULL)
        return NULL;
    assert_non_null(state);
    c->run->family = state;
    family->describe(c);
    if (family == &overlap_family)
        overlap_of(c->run)->parts = (struct overlap_parts){ .start = 0.11e-6,
                                                            .compute = 1.25e-6,
                                                            .test = 0.25e-6,
                                                            .wait = 0.33e-6,
                                                            .pure = 1.6e-6,
                                                            .pure_min = 1.44e-6,
                                                            .pure_max = 1.66e-6 };
    return state;
}

/* clang-format off */
static const struct report_row {
    const char *name;
    const struct bench *bench;
    const char *line;
    const char *expected; /* from the title on, to the first row at most */
    double mean_us;       /* 0: 2 */
} report_rows[] = {
    { "latency -c -z", &latency, "-z50,90 -c",
      "\n# OSU MPI Latency Test v7.4\n# Datatype: MPI_FLOAT.\n"
      "# Size       Avg Latency(us)        Validation  P50 Tail Lat(us)  P90 Tail Lat(us)\n"
      "4                       1.00              Pass              0.50              1.50\n" },
    { "latency -z99.9: headings stay apart", &latency, "-z99.9",
      "\n# OSU MPI Latency Test v7.4\n# Datatype: MPI_FLOAT.\n"
      "# Size       Avg Latency(us)  P99.9 Tail Lat(us)\n" },
    { "bandwidth -z100,99.9: headings stay apart", &bw, "-z100,99.9",
      "\n# OSU MPI Bandwidth Test v7.4\n# Datatype: MPI_FLOAT.\n"
      "# Size      Bandwidth (MB/s) P100 Tail BW(MB/s) P99.9 Tail BW(MB/s)\n" },
    { "bandwidth, low tail", &bw, "-z90,1",
      "\n# OSU MPI Bandwidth Test v7.4\n# Datatype: MPI_FLOAT.\n"
      "# Size      Bandwidth (MB/s) P90 Tail BW(MB/s)  P1 Tail BW(MB/s)\n"
      "4                     320.00            213.33            640.00\n" },
    { "both ways: twice the messages; the longest time is the low end", &bibw,
      "--columns ci_low,ci_high",
      "\n# OSU MPI Bi-Directional Bandwidth Test v7.4\n# Datatype: MPI_FLOAT.\n"
      "# Size      Bandwidth (MB/s)    CI95 Low(MB/s)   CI95 High(MB/s)\n"
      "4                     640.00            426.67           1280.00\n" },
    { "collective -f, then -c, -z, --columns", &allreduce, "--columns iterations -z99 -c -f",
      "\n# OSU MPI Allreduce Latency Test v7.4\n# Datatype: MPI_FLOAT.\n"
      "# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  "
      "Iterations        Validation  P99 Tail Lat(us)        Iterations\n"
      "4                       2.00              1.50              2.50        "
      "1000              Pass              3.00              1000\n" },
    { "overlap, none", &iallreduce, "", "\n# OSU MPI Non-blocking Allreduce Latency Test v7.4\n"
      "# Overall = Coll. Init + Compute + MPI_Test + MPI_Wait\n\n# Datatype: MPI_FLOAT.\n"
      "# Size           Overall(us)       Compute(us)    Pure Comm.(us)        Overlap(%)\n"
      "4                       5.00              1.00              1.60              0.00\n",
      5 },
    { "overlap -f", &iallreduce, "-f", "\n# OSU MPI Non-blocking Allreduce Latency Test v7.4\n"
      "# Overall = Coll. Init + Compute + MPI_Test + MPI_Wait\n\n# Datatype: MPI_FLOAT.\n"
      "# Size           Overall(us)       Compute(us)    Coll. Init(us)      "
      "MPI_Test(us)      MPI_Wait(us)    Pure Comm.(us)     Min Comm.(us)     "
      "Max Comm.(us)        Overlap(%)\n"
      "4                       2.00              1.00              0.11        "
      "      0.25              0.33              1.60              1.44        "
      "      1.66             37.50\n" },
};
/* clang-format on */

TEST_ROWS(report_rows, prints)
{
    const struct bench *b = row->bench;
    struct buffer_pool pool = { .together = false };
    struct bench_run run = { .nranks = 6, .window = 64, .pool = &pool };
    struct cell cells[LENGTH(((struct report_table *)NULL)->column)];
    struct unit_parsed p;
    struct report_table table;
    const struct context c = { .bench = b, .settings = &p.settings, .run = &run, .table = &table };
    struct unit_text text;
    struct result result;
    double iteration[20];
    void *own;
    char *got;

    unit_parse_of(&p, b, row->line);
    assert_string_equal(p.refusal.why, "");
    own = state_of(&c);
    result = result_of(&c, iteration);
    if (row->mean_us > 0)
        result.mean = 1e-6 * row->mean_us;
    report_table(&table, b, &p.settings);
    report_cells(&table, &result, cells);
    unit_text_open(&text);
    print_title(text.to, &c);
    print_heading(text.to, &c, &whole);
    print_cells(text.to, &table, cells, true, result.row->bytes);
    got = unit_text_close(&text);
    if (strlen(got) > strlen(row->expected))
        got[strlen(row->expected)] = '\0';
    assert_string_equal(got, row->expected);
    free(got);
    free(own);
    settings_release(&p.settings);
}

/* --- Overlap -------------------------------------------------------------- */

/* The part of an operation that a computation hid, on the CPU and on a GPU. */

static const struct overlap_row {
    const char *name;
    double overall, compute, test, pure, percent;
    bool round_trip;
} overlap_rows[] = {
    { "all hidden", 10, 10, 0, 5, 100 },
    { "nothing hidden", 15, 10, 0, 5, 0 },
    { "half hidden", 12.5, 10, 0, 5, 50 },
    { "slower than one after the other", 1.93, 1.11, 0, 0.71, -15.492957746 },
    { "tests are not computation", 10, 10, 1, 5, 80 },
    { "a message is half of a round trip", 25, 10, 0, 5, 50, true },
};

TEST_ROWS(overlap_rows, overlap_is_unclipped)
{
    struct overlap o = { .parts = { .compute = 1e-6 * row->compute,
                                    .test = 1e-6 * row->test,
                                    .pure = 1e-6 * row->pure } };
    const struct result r = { .mean = 1e-6 * row->overall,
                              .scale = row->round_trip ? 0.5 : 1,
                              .family = &o };

    assert_near(overlap_percent(&r), row->percent, 1e-6);
}

/* The value of its column, in us. */
static double computation(const struct result *r)
{
    const struct report_column *c = report_overlap_columns;

    while (strcmp(c->column.key, "compute_us") != 0)
        c++;
    return c->value(r).real;
}

TEST(a_gpu_goes_on_while_mpi_is_tested)
{
    struct overlap o = { .computation = { .target = COMPUTE_ON_CPU, .alone_s = 2600e-6 },
                         .parts = { .compute = 2600e-6, .test = 2500e-6, .pure = 2500e-6 } };
    const struct result r = { .mean = 2600e-6, .scale = 1, .family = &o };

    assert_near(computation(&r), 100, 1e-6);
    o.computation.target = COMPUTE_ON_GPU;
    assert_near(computation(&r), 2600, 1e-6);
    assert_near(overlap_percent(&r), 100, 1e-6);
}

/* What iterations note is left out with their batch, or with those before it. */
TEST(what_is_noted_is_left_out_with_its_batch)
{
    static const struct {
        bool before, batch;
        clock_ticks left; /* of 3 in the batches before, and 10 in this one */
    } cases[] = {
        { false, false, 13 }, { false, true, 3 }, { true, false, 10 }, { true, true, 0 }
    };

    for (size_t i = 0; i < LENGTH(cases); i++) {
        struct overlap o = { .sum.start = 3 };
        struct bench_run run = { .family = &o };

        overlap_forget(&run, false, false);
        o.sum.start += 10;
        overlap_forget(&run, cases[i].before, cases[i].batch);
        assert_int_equal(o.sum.start, cases[i].left);
    }
}

/* --- Bus ------------------------------------------------------------------ */

/* algbw and busbw of each pattern of communication, as nccl-tests defines them. */

static const struct of_flow {
    const char *name;
    const struct flow *flow;
    int n;
    double algbw, busbw; /* of 1,000 bytes in a second */
} rows[] = {
    { "allreduce", &flow_reduce_all, 4, 1000, 1500 },
    { "allreduce of two", &flow_reduce_all, 2, 1000, 1000 },
    { "reduce", &flow_reduce, 4, 1000, 1000 },
    { "reduce_scatter", &flow_reduce_scatter, 4, 1000, 750 },
    { "reduce_scatter_block", &flow_reduce_scatter_block, 5, 1000, 800 },
    { "scan", &flow_scan, 4, 1000, 1000 },
    { "exscan", &flow_exscan, 4, 1000, 1000 },
    { "bcast", &flow_broadcast, 4, 1000, 1000 },
    { "allgather", &flow_gather_all, 4, 4000, 3000 },
    { "allgatherv", &flow_gather_all_v, 4, 4000, 3000 },
    { "gather", &flow_gather, 5, 5000, 4000 },
    { "gatherv", &flow_gather_v, 4, 4000, 3000 },
    { "scatter", &flow_scatter, 4, 4000, 3000 },
    { "scatterv", &flow_scatter_v, 4, 4000, 3000 },
    { "alltoall", &flow_exchange_all, 4, 4000, 3000 },
    { "alltoallv", &flow_exchange_all_v, 4, 4000, 3000 },
    { "alltoallw", &flow_exchange_all_w, 3, 3000, 2000 },
};

TEST_ROWS(rows, bandwidths)
{
    const struct bus *bus = row->flow->of_family;

    assert_near(bus_bandwidth(bus, BUS_ALGBW, row->n, 1000, 1), row->algbw, 1e-9);
    assert_near(bus_bandwidth(bus, BUS_BUSBW, row->n, 1000, 1), row->busbw, 1e-9);
    assert_near(bus_bandwidth(bus, BUS_BUSBW, row->n, 1000, 0.5), 2 * row->busbw, 1e-9);
}
