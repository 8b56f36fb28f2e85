/* SPDX-License-Identifier: BSD-3-Clause */
/* Each kind's formula stands next to the words that claim it. */
#include "report_kinds.h"

#include "bench.h"

struct cell report_mean(const struct result *r)
{
    return cell_real(result_mean(r));
}

struct cell report_mean_min(const struct result *r)
{
    return cell_real(result_figure(r, r->mean_min));
}

struct cell report_mean_max(const struct result *r)
{
    return cell_real(result_figure(r, r->mean_max));
}

struct cell report_iterations(const struct result *r)
{
    return cell_count((size_t)r->iterations);
}

/* --- Latencies -------------------------------------------------------------- */

struct cell report_messages_per_s(const struct result *r)
{
    return cell_real(result_messages_per_s(r));
}

const struct report_column report_latency_columns[] = {
    { { "latency_us", "Avg Latency(us)", 0 }, report_mean },
    { .value = NULL },
};

const struct report report_half_round_trip = {
    .unit = "us",
    .sample = "one round trip, seen by the first rank of a pair",
    .printed = "half of it, in us, mean over iterations and pairs",
    .scale = 0.5,
    .headline = report_latency_columns,
};
const struct report report_round_trip = {
    .unit = "us",
    .sample = "one round trip, seen by rank 0",
    .printed = "half of it, in us, mean over iterations",
    .scale = 0.5,
    .headline = report_latency_columns,
};
const struct report report_exchange = {
    .unit = "us",
    .sample = "one message each way at once, seen by rank 0",
    .printed = "us until both have arrived, mean over iterations",
    .headline = report_latency_columns,
};
static const struct report_column self_columns[] = {
    { { "latency_us", "Avg Latency(us)", .decimals = 4 }, report_mean },
    { .value = NULL },
};

const struct report report_self = {
    .unit = "us",
    .sample = "one message of each rank to itself",
    .printed = "us per message, mean over iterations, then over ranks",
    .headline = self_columns,
};

/* --- Bandwidths: an iteration is a window of messages on each sender ---------------- */

const struct report_column report_bandwidth_columns[] = {
    { { "bandwidth_mb_per_s", "Bandwidth (MB/s)", 0 }, report_mean },
    { .value = NULL },
};

const struct report report_bandwidth = {
    .unit = "MB/s",
    .sample = "one window of messages and its acknowledgement",
    .printed = MB_PER_S ", one direction), payload / mean time",
    .is_rate = true,
    .headline = report_bandwidth_columns,
};
const struct report report_both_ways = {
    .unit = "MB/s",
    .sample = "one window of messages in either direction",
    .printed = MB_PER_S ", sum of both directions), payload / mean time",
    .is_rate = true,
    .both_ways = true,
    .headline = report_bandwidth_columns,
};
