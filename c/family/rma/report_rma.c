/* SPDX-License-Identifier: BSD-3-Clause */
/* What one-sided benchmarks print: report.h. */
#include "report/report.h"

#include "report/report_columns.h"
#include "rma.h"

static void window_lines(FILE *to, const struct bench_run *r,
                         const struct settings *s)
{
    (void)r;
    fprintf(to, "# Window creation: %s\n# Synchronization: %s\n",
            rma_window_name(s->window_kind), rma_sync_name(s->sync));
}

#define OPERATION  "one operation and what synchronises it, "
#define OPERATIONS "one window of operations and what synchronises it, "
#define ONE_WAY                                                                \
    "us for one operation (pscw, fence: half of two), mean over laps"
#define LOCALLY "; with flush_local that of local completion only"

#define ORIGIN_LATENCY                                                         \
    .unit = "us",                                                              \
    .sample = OPERATION "seen by the origin (pscw, fence: one each way)",      \
    .printed = ONE_WAY LOCALLY, .scale = 1,                                    \
    .headline = report_rma_latency_columns, .one_sided = true,                 \
    .preamble = window_lines

const struct report report_rma_latency = { ORIGIN_LATENCY };
const struct report report_rma_latency_alone = { ORIGIN_LATENCY,
                                                 .no_type_line = true };
const struct report report_rma_latency_of_pairs = {
    .unit = "us",
    .sample = OPERATION "seen by the origin of each pair (pscw, fence: one "
                        "each way), after all were brought together",
    .printed = ONE_WAY " and pairs" LOCALLY,
    .scale = 1,
    .headline = report_rma_latency_columns,
    .one_sided = true,
    .preamble = window_lines,
};
const struct report report_rma_bandwidth = {
    .unit = "MB/s",
    .sample = OPERATIONS "seen by the origin",
    .printed = MB_PER_S ", one direction), payload / mean time" LOCALLY,
    .directions = 1,
    .headline = report_bandwidth_columns,
    .one_sided = true,
    .preamble = window_lines,
};
const struct report report_rma_both_ways = {
    .unit = "MB/s",
    .sample = OPERATIONS "in either direction, seen by rank 0",
    .printed = MB_PER_S ", sum of both directions), payload / mean time",
    .directions = 2,
    .headline = report_bandwidth_columns,
    .one_sided = true,
    .preamble = window_lines,
};
const struct report report_rma_bandwidth_of_pairs = {
    .unit = "MB/s",
    .sample = OPERATIONS "seen by the origin of each pair, after all were "
                         "brought together",
    .printed = MB_PER_S ", sum of all pairs), payload / mean time of the "
                        "origins" LOCALLY,
    .directions = 1,
    .headline = report_bandwidth_columns,
    .one_sided = true,
    .preamble = window_lines,
};
const struct report report_rma_hot_spot = {
    .unit = "MB/s",
    .sample = OPERATIONS "seen by each of the others, after all were brought "
                         "together",
    .printed = MB_PER_S ", of all others together, and of each), payload / "
                        "mean time of the others" LOCALLY,
    .directions = 1,
    .headline = report_rma_hot_spot_columns,
    .one_sided = true,
    .preamble = window_lines,
};
