/* SPDX-License-Identifier: BSD-3-Clause */
#include "report_rma.h"

#include "bench.h"
#include "rma.h"
#include "target.h"

static void window_lines(FILE *to, const struct bench_run *r,
                         const struct settings *s)
{
    (void)s;
    fprintf(to, "# Window creation: %s\n# Synchronization: %s\n",
            rma_window_name(rma_of(r)->kind), rma_sync_name(rma_of(r)->sync));
    if (rma_of(r)->target != TARGET_IN_MPI)
        fprintf(to, "# Target: %s, %ld us at a time\n",
                rma_of(r)->target == TARGET_ASLEEP ? "asleep" : "computing",
                rma_of(r)->target_us);
}

/* If a lap has two operations, half of it is printed. */
static void one_operation(const struct context *c, struct result *result)
{
    result->scale = rma_takes_turns(c->run) ? 0.5 : 1;
}

/* One window for each peer. */
static void windows_of_others(const struct context *c, struct result *result)
{
    result->messages = (double)c->run->window * (double)result->parameter;
}

static struct cell mean_of_each(const struct result *r)
{
    return cell_real(result_figure(r, r->mean) / (double)r->parameter);
}

#define COLUMN(key, heading, value)                                            \
    {                                                                          \
        { key, heading, 0 }, value                                             \
    }
#define LATENCY   COLUMN("latency_us", "Latency (us)", report_mean)
#define LOCAL     COLUMN("latency_us", "Local (us)", report_mean)
#define US_IN_MPI COLUMN("in_mpi_us", "In MPI (us)", target_in_mpi)
#define RATIO     COLUMN("ratio", "Ratio", target_ratio)

static const struct report_column latency_columns[] = { LATENCY,
                                                        { .value = NULL } };
static const struct report_column local_columns[] = { LOCAL,
                                                      { .value = NULL } };
static const struct report_column away_columns[] = {
    LATENCY, US_IN_MPI, RATIO, { .value = NULL }
};
static const struct report_column local_away_columns[] = {
    LOCAL, US_IN_MPI, RATIO, { .value = NULL }
};
static const struct report_column bandwidth_away_columns[] = {
    COLUMN("bandwidth_mb_per_s", "Bandwidth (MB/s)", report_mean),
    COLUMN("in_mpi_mb_per_s", "In MPI (MB/s)", target_in_mpi),
    RATIO,
    { .value = NULL },
};

static bool is_away(const struct settings *s)
{
    return rma_settings(s)->target != TARGET_IN_MPI;
}

static const struct report_column *latency_by(const struct settings *s)
{
    return is_away(s) ? away_columns : NULL;
}

static const struct report_column *bandwidth_by(const struct settings *s)
{
    return is_away(s) ? bandwidth_away_columns : NULL;
}

/* Of data that only leave: a flush_local says nothing of their arrival. */
static const struct report_column *sent_by(const struct settings *s)
{
    if (rma_settings(s)->sync != RMA_FLUSH_LOCAL)
        return latency_by(s);
    return is_away(s) ? local_away_columns : local_columns;
}

static const struct report_column hot_spot_columns[] = {
    { { "aggregate_mb_per_s", "All (MB/s)", 0 }, report_mean },
    { { "each_mb_per_s", "Each (MB/s)", 0 }, mean_of_each },
    { .value = NULL },
};

#define OPERATION  "one operation and its synchronization, "
#define OPERATIONS "one window of operations and its synchronization, "
#define ONE_WAY                                                                \
    "us for one operation (pscw, fence: half of two), mean over iterations"
#define LOCALLY "; with flush_local that of local completion only"

#define ORIGIN_LATENCY                                                         \
    .unit = "us",                                                              \
    .sample = OPERATION "seen by the origin (pscw, fence: one each way)",      \
    .printed = ONE_WAY LOCALLY, .figure = one_operation,                       \
    .headline = latency_columns, .compact = true, .one_sided = true,           \
    .preamble = window_lines

const struct report report_rma_latency = { ORIGIN_LATENCY,
                                           .columns = latency_by };
const struct report report_rma_sent = { ORIGIN_LATENCY, .columns = sent_by };
const struct report report_rma_latency_alone = { ORIGIN_LATENCY,
                                                 .columns = latency_by,
                                                 .no_type_line = true };
const struct report report_rma_latency_of_pairs = {
    .unit = "us",
    .sample = OPERATION "seen by the origin of each pair (pscw, fence: one "
                        "each way), after all ranks were synchronized",
    .printed = ONE_WAY " and pairs" LOCALLY,
    .figure = one_operation,
    .headline = latency_columns,
    .columns = latency_by,
    .compact = true,
    .one_sided = true,
    .preamble = window_lines,
};
const struct report report_rma_bandwidth = {
    .unit = "MB/s",
    .sample = OPERATIONS "seen by the origin",
    .printed = MB_PER_S ", one direction), payload / mean time" LOCALLY,
    .is_rate = true,
    .headline = report_bandwidth_columns,
    .columns = bandwidth_by,
    .compact = true,
    .one_sided = true,
    .preamble = window_lines,
};
const struct report report_rma_both_ways = {
    .unit = "MB/s",
    .sample = OPERATIONS "in either direction, seen by rank 0",
    .printed = MB_PER_S ", sum of both directions), payload / mean time",
    .is_rate = true,
    .both_ways = true,
    .headline = report_bandwidth_columns,
    .compact = true,
    .one_sided = true,
    .preamble = window_lines,
};
const struct report report_rma_bandwidth_of_pairs = {
    .unit = "MB/s",
    .sample = OPERATIONS "seen by the origin of each pair, after all "
                         "ranks were synchronized",
    .printed = MB_PER_S ", sum of all pairs), payload / mean time of the "
                        "origins" LOCALLY,
    .is_rate = true,
    .headline = report_bandwidth_columns,
    .columns = bandwidth_by,
    .compact = true,
    .one_sided = true,
    .preamble = window_lines,
};
const struct report report_rma_hot_spot = {
    .unit = "MB/s",
    .sample = OPERATIONS "seen by each peer, after all ranks were "
                         "synchronized",
    .printed = MB_PER_S ", of all peers together, and of each), payload / "
                        "mean time of the peers" LOCALLY,
    .is_rate = true,
    .figure = windows_of_others,
    .headline = hot_spot_columns,
    .compact = true,
    .one_sided = true,
    .preamble = window_lines,
};
