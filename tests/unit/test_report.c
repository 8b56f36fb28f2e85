/* SPDX-License-Identifier: BSD-3-Clause */
/* Which columns a program prints for which options, in OMB's order, and the
   lines above them. */
#include "unit_parse.h"

#include "overlap/overlap.h"
#include "pairs/pairs.h"
#include "report/rows.h"
#include "rma/rma.h"
#include "sampling/buffer_pool.h"

enum { SENDS = TAKES_SIZES | TAKES_LAPS | TAKES_TYPE | TAKES_CHECK };

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
static const struct bench mbw_mr = {
    .title = "OSU MPI Multiple Bandwidth / Message Rate Test",
    .takes = SENDS | TAKES_WINDOW | TAKES_PAIRS,
    .flow = &flow_ping_pong,
    .report = &report_message_rate,
};
static const struct bench allreduce = {
    .title = "OSU MPI@ Allreduce Latency Test",
    .takes = SENDS,
    .flow = &flow_ping_pong,
    .report = &report_collective,
};
static const struct bench barrier = {
    .title = "OSU MPI@ Barrier Latency Test",
    .takes = TAKES_LAPS,
    .flow = &flow_ping_pong,
    .report = &report_barrier,
};
static const struct bench iallreduce = {
    .title = "OSU MPI@ Non-blocking Allreduce Latency Test",
    .takes = SENDS,
    .flow = &flow_ping_pong,
    .report = &report_overlap,
    .family = &overlap_family,
};
static const struct bench put_latency = {
    .title = "OSU MPI_Put@ Latency Test",
    .takes = TAKES_SIZES | TAKES_LAPS | TAKES_CHECK | TAKES_RMA,
    .flow = &flow_put,
    .report = &report_rma_latency,
    .family = &rma_family,
};

/* Laps of 10 times 1 us and 10 times 3 us; other values are all different, so
   that none can stand in another's column. */
static struct series series;
static const struct row whole = { .bytes = 4, .element = ELEMENT_FLOAT };

static struct result result_of(const struct context *c, double lap[20])
{
    struct result r = {
        .row = &whole,
        .moved = 10,
        .verdict = VERDICT_PASS,
        .laps = 1000,
        .mean = 2e-6,
        .mean_min = 1.5e-6,
        .mean_max = 2.5e-6,
        .series = &series,
        .family = c->run->family,
    };

    for (int i = 0; i < 20; i++)
        lap[i] = i < 10 ? 1e-6 : 3e-6;
    r.over_laps = stats_of(lap, 20);
    series = (struct series){ .n = 20, .kept = 20, .sorted = lap };
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
        overlap_of(c->run)->parts =
            (struct overlap_parts){ .start = 0.11e-6,
                                    .compute = 1.25e-6,
                                    .test = 0.25e-6,
                                    .wait = 0.33e-6,
                                    .pure = 1.6e-6,
                                    .pure_min = 1.44e-6,
                                    .pure_max = 1.66e-6 };
    return state;
}

static const struct report_row {
    const char *name;
    const struct bench *bench;
    const char *line;
    const char *expected; /* from the title on, to the first row at most */
    double mean_us;       /* 0: 2 */
} report_rows[] = {
    { "latency", &latency, "",
      "\n# OSU MPI Latency Test v7.4\n# Datatype: MPI_FLOAT.\n"
      "# Size       Avg Latency(us)\n"
      "4                       1.00\n" },
    { "latency -f is as without", &latency, "-f",
      "\n# OSU MPI Latency Test v7.4\n# Datatype: MPI_FLOAT.\n"
      "# Size       Avg Latency(us)\n"
      "4                       1.00\n" },
    { "latency -c -z", &latency, "-z50,90 -c",
      "\n# OSU MPI Latency Test v7.4\n# Datatype: MPI_FLOAT.\n"
      "# Size       Avg Latency(us)        Validation  P50 Tail Lat(us)  P90 "
      "Tail Lat(us)\n"
      "4                       1.00              Pass              0.50        "
      "      1.50\n" },
    { "latency -z100: P100 is one wider", &latency, "-z100",
      "\n# OSU MPI Latency Test v7.4\n# Datatype: MPI_FLOAT.\n"
      "# Size       Avg Latency(us)  P100 Tail Lat(us)\n" },
    { "latency -z99.9: headings stay apart", &latency, "-z99.9",
      "\n# OSU MPI Latency Test v7.4\n# Datatype: MPI_FLOAT.\n"
      "# Size       Avg Latency(us)  P99.9 Tail Lat(us)\n" },
    { "bandwidth -z100,99.9: headings stay apart", &bw, "-z100,99.9",
      "\n# OSU MPI Bandwidth Test v7.4\n# Datatype: MPI_FLOAT.\n"
      "# Size      Bandwidth (MB/s) P100 Tail BW(MB/s) "
      "P99.9 Tail BW(MB/s)\n" },
    { "bandwidth, low tail", &bw, "-z90,1",
      "\n# OSU MPI Bandwidth Test v7.4\n# Datatype: MPI_FLOAT.\n"
      "# Size      Bandwidth (MB/s) P90 Tail BW(MB/s)  P1 Tail BW(MB/s)\n"
      "4                     320.00            213.33            640.00\n" },
    { "both ways: twice the messages; the longest time is the low end", &bibw,
      "--columns ci_low,ci_high",
      "\n# OSU MPI Bi-Directional Bandwidth Test v7.4\n# Datatype: MPI_FLOAT.\n"
      "# Size      Bandwidth (MB/s)    CI95 Low(MB/s)   CI95 High(MB/s)\n"
      "4                     640.00            426.67           1280.00\n" },
    { "message rate", &mbw_mr, "",
      "# OSU MPI Multiple Bandwidth / Message Rate Test v7.4\n"
      "# [ pairs: 3 ] [ window size: 64 ]\n# Datatype: MPI_FLOAT.\n"
      "# Size                  MB/s        Messages/s\n"
      "4                     320.00       32000000.00\n" },
    { "message rate -R 0 -c", &mbw_mr, "-R 0 -c",
      "# OSU MPI Multiple Bandwidth / Message Rate Test v7.4\n"
      "# [ pairs: 3 ] [ window size: 64 ]\n# Datatype: MPI_FLOAT.\n"
      "# Size                  MB/s        Validation\n"
      "4                     320.00              Pass\n" },
    { "collective -f, then -c, -z, --columns", &allreduce,
      "--columns iterations -z99 -c -f",
      "\n# OSU MPI Allreduce Latency Test v7.4\n# Datatype: MPI_FLOAT.\n"
      "# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  "
      "Iterations        Validation  P99 Tail Lat(us)        Iterations\n"
      "4                       2.00              1.50              2.50        "
      "1000              Pass              3.00              1000\n" },
    { "barrier -f: no size, no type", &barrier, "-f",
      "\n# OSU MPI Barrier Latency Test v7.4\n"
      "# Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations\n"
      "             2.00              1.50              2.50        1000\n" },
    { "overlap", &iallreduce, "",
      "\n# OSU MPI Non-blocking Allreduce Latency Test v7.4\n"
      "# Overall = Coll. Init + Compute + MPI_Test + MPI_Wait\n\n"
      "# Datatype: MPI_FLOAT.\n"
      "# Size           Overall(us)       Compute(us)    Pure Comm.(us)        "
      "Overlap(%)\n"
      "4                       2.00              1.00              1.60        "
      "     37.50\n" },
    { "overlap, none", &iallreduce, "",
      "\n# OSU MPI Non-blocking Allreduce Latency Test v7.4\n"
      "# Overall = Coll. Init + Compute + MPI_Test + MPI_Wait\n\n"
      "# Datatype: MPI_FLOAT.\n"
      "# Size           Overall(us)       Compute(us)    Pure Comm.(us)        "
      "Overlap(%)\n"
      "4                       5.00              1.00              1.60        "
      "      0.00\n",
      5 },
    { "overlap -f", &iallreduce, "-f",
      "\n# OSU MPI Non-blocking Allreduce Latency Test v7.4\n"
      "# Overall = Coll. Init + Compute + MPI_Test + MPI_Wait\n\n"
      "# Datatype: MPI_FLOAT.\n"
      "# Size           Overall(us)       Compute(us)    Coll. Init(us)      "
      "MPI_Test(us)      MPI_Wait(us)    Pure Comm.(us)     Min Comm.(us)     "
      "Max Comm.(us)        Overlap(%)\n"
      "4                       2.00              1.00              0.11        "
      "      0.25              0.33              1.60              1.44        "
      "      1.66             37.50\n" },
    { "one-sided", &put_latency, "-s lock_all -w create",
      "# OSU MPI_Put Latency Test v7.4\n# Window creation: MPI_Win_create\n"
      "# Synchronization: MPI_Win_lock_all/unlock_all\n"
      "# Datatype: MPI_FLOAT.\n"
      "# Size          Latency (us)\n"
      "4                       2.00\n" },
};

TEST_ROWS(report_rows, prints)
{
    const struct bench *b = row->bench;
    struct buffer_pool pool = { .together = false };
    struct bench_run run = {
        .nranks = 6, .pairs = 3, .window = 64, .pool = &pool
    };
    struct cell cells[LENGTH(((struct report_table *)NULL)->column)];
    struct unit_parsed p;
    const struct context c = { .bench = b,
                               .settings = &p.settings,
                               .run = &run };
    struct report_table table;
    struct unit_text text;
    struct result result;
    double lap[20];
    void *own;
    char *got;

    unit_parse_of(&p, b, row->line);
    assert_string_equal(p.why, "");
    own = state_of(&c);
    result = result_of(&c, lap);
    if (row->mean_us > 0)
        result.mean = 1e-6 * row->mean_us;
    report_table(&table, b, &p.settings);
    report_cells(&table, &result, cells);
    unit_text_open(&text);
    report_title(text.to, &c);
    report_heading(text.to, &c, &table, b->takes & TAKES_SIZES ? "Size" : NULL,
                   &whole);
    table_print_row(text.to, table.column, cells, table.n,
                    b->takes & TAKES_SIZES, result.row->bytes);
    got = unit_text_close(&text);
    if (strlen(got) > strlen(row->expected))
        got[strlen(row->expected)] = '\0';
    assert_string_equal(got, row->expected);
    free(got);
    free(own);
    settings_release(&p.settings);
}
