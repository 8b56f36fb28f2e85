/* SPDX-License-Identifier: BSD-3-Clause */
#include "report_rma.h"

#include "bench.h"
#include "rma.h"

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
    result->messages = (double)c->run->window * (double)result->row->parameter;
}

static struct cell mean_of_each(const struct result *r)
{
    return cell_real(result_mean(r) / (double)r->row->parameter);
}

static bool is_complete(const struct bench *b, const struct settings *s)
{
    return !rma_is_local(b, s);
}

static bool is_away(const struct bench *b, const struct settings *s)
{
    (void)b;
    return rma_settings(s)->target != TARGET_IN_MPI;
}

/* A heading says if what it shows is local completion alone. */
#define COLUMNS(key, heading, local, value)                                    \
    { { key, heading, 0 }, value, .shown = is_complete },                      \
    {                                                                          \
        { key, local, 0 }, value, .shown = rma_is_local                        \
    }

/* With the target away from MPI: the same with the target in MPI, and the ratio. */
#define IN_MPI(key, heading)                                                   \
    { { key, heading, 0 }, COLUMN_OF(struct rma, in_mpi), .shown = is_away },  \
    {                                                                          \
        { "ratio", "Ratio", 0 }, COLUMN_OF(struct rma, ratio),                 \
            .shown = is_away                                                   \
    }

static const struct report_column latency_columns[] = {
    COLUMNS("latency_us", "Latency (us)", "Local (us)", report_mean),
    IN_MPI("in_mpi_us", "In MPI (us)"),
    { .value = NULL },
};
static const struct report_column bandwidth_columns[] = {
    COLUMNS("bandwidth_mb_per_s", "Bandwidth (MB/s)", "Local (MB/s)",
            report_mean),
    IN_MPI("in_mpi_mb_per_s", "In MPI (MB/s)"),
    { .value = NULL },
};
static const struct report_column hot_spot_columns[] = {
    COLUMNS("aggregate_mb_per_s", "All (MB/s)", "All Local (MB/s)",
            report_mean),
    COLUMNS("each_mb_per_s", "Each (MB/s)", "Each Local (MB/s)", mean_of_each),
    { .value = NULL },
};

#define OPERATION  "one operation and its synchronization, "
#define OPERATIONS "one window of operations and its synchronization, "
#define ONE_WAY                                                                \
    "us for one operation (pscw, fence: half of two), mean over iterations"
#define LOCALLY "; with flush_local that of local completion only"

#define ONE_SIDED .compact = true, .one_sided = true, .preamble = window_lines
#define ORIGIN_LATENCY                                                         \
    .unit = "us",                                                              \
    .sample = OPERATION "seen by the origin (pscw, fence: one each way)",      \
    .printed = ONE_WAY LOCALLY, .figure = one_operation,                       \
    .headline = latency_columns, ONE_SIDED

const struct report report_rma_latency = { ORIGIN_LATENCY };
const struct report report_rma_latency_alone = { ORIGIN_LATENCY,
                                                 .no_type_line = true };
const struct report report_rma_latency_of_pairs = {
    .unit = "us",
    .sample = OPERATION "seen by the origin of each pair (pscw, fence: one "
                        "each way), after all ranks were synchronized",
    .printed = ONE_WAY " and pairs" LOCALLY,
    .figure = one_operation,
    .headline = latency_columns,
    ONE_SIDED,
};
const struct report report_rma_bandwidth = {
    .unit = "MB/s",
    .sample = OPERATIONS "seen by the origin",
    .printed = MB_PER_S ", one direction), payload / mean time" LOCALLY,
    .is_rate = true,
    .headline = bandwidth_columns,
    ONE_SIDED,
};
const struct report report_rma_both_ways = {
    .unit = "MB/s",
    .sample = OPERATIONS "in either direction, seen by rank 0",
    .printed = MB_PER_S ", sum of both directions), payload / mean time",
    .is_rate = true,
    .both_ways = true,
    .headline = report_bandwidth_columns,
    ONE_SIDED,
};
const struct report report_rma_bandwidth_of_pairs = {
    .unit = "MB/s",
    .sample = OPERATIONS "seen by the origin of each pair, after all "
                         "ranks were synchronized",
    .printed = MB_PER_S ", sum of all pairs), payload / mean time of the "
                        "origins" LOCALLY,
    .is_rate = true,
    .headline = bandwidth_columns,
    ONE_SIDED,
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
    ONE_SIDED,
};
