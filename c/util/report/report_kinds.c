/* SPDX-License-Identifier: BSD-3-Clause */
/* Each kind's formula stands next to the words that claim it. */
#include "report_kinds.h"

#include "bench.h"

struct cell report_real(double value)
{
    return (struct cell){ .kind = CELL_REAL, .real = value };
}

struct cell report_mean(const struct result *r)
{
    return report_real(result_figure(r, r->mean));
}

static struct cell mean_min(const struct result *r)
{
    return report_real(result_figure(r, r->mean_min));
}

static struct cell mean_max(const struct result *r)
{
    return report_real(result_figure(r, r->mean_max));
}

static struct cell laps(const struct result *r)
{
    return (struct cell){ .kind = CELL_COUNT, .count = (size_t)r->laps };
}

struct cell report_message_rate_value(const struct result *r)
{
    return report_real(r->mean > 0 ? r->messages / r->mean : 0);
}

/* --- Latencies -------------------------------------------------------------- */

const struct report_column report_latency_columns[] = {
    { { "latency_us", "Avg Latency(us)", 0 }, report_mean },
    { .value = NULL },
};
const struct report_column report_collective_full[] = {
    { { "latency_us", "Avg Latency(us)", 0 }, report_mean },
    { { "latency_min_us", "Min Latency(us)", 0 }, mean_min },
    { { "latency_max_us", "Max Latency(us)", 0 }, mean_max },
    { { "iterations", "Iterations", TABLE_COUNT_WIDTH }, laps },
    { .value = NULL },
};

void report_whole_lap(const struct context *c, struct result *result)
{
    (void)c;
    result->scale = 1;
}

void report_half_lap(const struct context *c, struct result *result)
{
    (void)c;
    result->scale = 0.5;
}

const struct report report_half_round_trip = {
    .unit = "us",
    .sample = "one round trip, seen by the first rank of a pair",
    .printed = "half of it, in us, mean over iterations and pairs",
    .figure = report_half_lap,
    .headline = report_latency_columns,
};
const struct report report_round_trip = {
    .unit = "us",
    .sample = "one round trip, seen by rank 0",
    .printed = "half of it, in us, mean over iterations",
    .figure = report_half_lap,
    .headline = report_latency_columns,
};
const struct report report_exchange = {
    .unit = "us",
    .sample = "one message each way at once, seen by rank 0",
    .printed = "us until both have arrived, mean over iterations",
    .figure = report_whole_lap,
    .headline = report_latency_columns,
};
const struct report report_collective = {
    .unit = "us",
    .sample = "one call, on every rank, after all ranks were synchronized",
    .printed = "us, mean over iterations, then over ranks",
    .figure = report_whole_lap,
    .headline = report_latency_columns,
    .full = report_collective_full,
};
const struct report report_barrier = {
    .unit = "us",
    .sample = "one call, on every rank, after all ranks were synchronized",
    .printed = "us, mean over iterations, then over ranks",
    .figure = report_whole_lap,
    .headline = report_latency_columns,
    .full = report_collective_full,
    .no_type_line = true,
};

/* --- Hot spots: a lap is a message to, or from, each other rank -------------- */

static void share_of_each(const struct context *c, struct result *result)
{
    (void)c;
    result->scale = 1.0 / (double)result->parameter;
    result->messages = (double)result->parameter;
}

static struct cell aggregate(const struct result *r)
{
    return report_real(
        r->mean > 0 ? (double)r->moved * r->messages / r->mean / 1e6 : 0);
}

static struct cell of_each(const struct result *r)
{
    return report_real(r->mean > 0 ? (double)r->moved / r->mean / 1e6 : 0);
}

static const struct report_column hot_spot_columns[] = {
    { { "message_us", "Per Message(us)", 0 }, report_mean },
    { { "aggregate_mb_per_s", "All (MB/s)", 0 }, aggregate },
    { { "each_mb_per_s", "Each (MB/s)", 0 }, of_each },
    { .value = NULL },
};

const struct report report_hot_spot = {
    .unit = "us",
    .sample = "one message between rank 0 and each peer, and an empty one the "
              "other way, seen by rank 0",
    .printed =
        "us for a message, mean over iterations; and payload / mean time, for "
        "all peers together and for each, in MB/s (10^6 bytes)",
    .figure = share_of_each,
    .headline = hot_spot_columns,
};

/* --- Bandwidths: a lap is a window of messages on each sender ---------------- */

const struct report_column report_bandwidth_columns[] = {
    { { "bandwidth_mb_per_s", "Bandwidth (MB/s)", 0 }, report_mean },
    { .value = NULL },
};
static const struct report_column rate_columns[] = {
    { { "bandwidth_mb_per_s", "MB/s", 0 }, report_mean },
    { { "messages_per_s", "Messages/s", 0 }, report_message_rate_value },
    { .value = NULL },
};

static void windows(const struct context *c, int directions,
                    struct result *result)
{
    const int senders = c->bench->timed == TIMED_SENDERS ? c->run->pairs : 1;

    result->is_rate = true;
    result->messages = (double)directions * c->run->window * senders;
    result->payload = result->messages * (double)result->moved;
}

void report_one_way(const struct context *c, struct result *result)
{
    windows(c, 1, result);
}

void report_two_ways(const struct context *c, struct result *result)
{
    windows(c, 2, result);
}

static void pairs_and_window(FILE *to, const struct bench_run *r,
                             const struct settings *s, const char *direction)
{
    if (s->vary_window)
        fprintf(to,
                "# [ pairs: %d ] [ window size: varied ]\n\n"
                "# %s-directional Bandwidth (MB/sec)\n",
                r->pairs, direction);
    else
        fprintf(to, "# [ pairs: %d ] [ window size: %d ]\n", r->pairs,
                r->window);
}

static void pairs_line(FILE *to, const struct bench_run *r,
                       const struct settings *s)
{
    pairs_and_window(to, r, s, "Uni");
}

static void pairs_line_both_ways(FILE *to, const struct bench_run *r,
                                 const struct settings *s)
{
    pairs_and_window(to, r, s, "Bi");
}

const struct report report_bandwidth = {
    .unit = "MB/s",
    .sample = "one window of messages and its acknowledgement",
    .printed = MB_PER_S ", one direction), payload / mean time",
    .is_rate = true,
    .figure = report_one_way,
    .headline = report_bandwidth_columns,
};
const struct report report_both_ways = {
    .unit = "MB/s",
    .sample = "one window of messages in either direction",
    .printed = MB_PER_S ", sum of both directions), payload / mean time",
    .is_rate = true,
    .figure = report_two_ways,
    .headline = report_bandwidth_columns,
};
const struct report report_message_rate = {
    .unit = "MB/s",
    .sample = "one window and its acknowledgement, on every sender",
    .printed = MB_PER_S ", sum of all pairs), payload / mean time of the "
                        "senders; and messages per second",
    .is_rate = true,
    .figure = report_one_way,
    .headline = rate_columns,
    .compact = true,
    .preamble = pairs_line,
};
const struct report report_rate_both_ways = {
    .unit = "MB/s",
    .sample = "one window in either direction, on the first rank of each pair",
    .printed = MB_PER_S ", sum of all pairs and both directions), payload / "
                        "mean time of the first ranks; and messages per second",
    .is_rate = true,
    .figure = report_two_ways,
    .headline = rate_columns,
    .compact = true,
    .preamble = pairs_line_both_ways,
};
