/* SPDX-License-Identifier: BSD-3-Clause */
/* What programs below MPI print. */
#include "report/report.h"

#include "report/report_columns.h"
#include "loop.h"

static void over_line(FILE *to, const struct bench_run *r,
                      const struct settings *s)
{
    (void)s;
    fprintf(to, "# Over: %s.\n", r->over);
}

const struct report report_transport_latency = {
    .unit = "us",
    .sample = "one round trip, seen by rank 0",
    .printed = "half of it, in us, mean over laps",
    .scale = 0.5,
    .headline = report_latency_columns,
    .empty_line = true,
    .no_type_line = true,
    .preamble = over_line,
    .own = true,
};
const struct report report_transport_bandwidth = {
    .unit = "MB/s",
    .sample = "one window of messages and its acknowledgement",
    .printed = MB_PER_S ", one direction), payload / mean time",
    .directions = 1,
    .headline = report_bandwidth_columns,
    .empty_line = true,
    .no_type_line = true,
    .preamble = over_line,
    .own = true,
};
