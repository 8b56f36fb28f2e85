/* SPDX-License-Identifier: BSD-3-Clause */
#include "report_patterns.h"

#include <math.h>
#include <stdlib.h>

#include "bench.h"
#include "patterns.h"
#include "report/report_kinds.h"
#include "sampling/over_ranks.h"
#include "stats/stats.h"

/* --- Ranks in one ring -------------------------------------------------------- */

/* A rank's messages in a round, in and out. */
static void two_messages(const struct context *c, struct result *result)
{
    (void)c;
    result->messages = 2;
}

static void four_messages(const struct context *c, struct result *result)
{
    (void)c;
    result->messages = 4;
}

static struct cell slowest_rank_rate(const struct result *r)
{
    return cell_real(r->mean_max > 0
                         ? r->messages * (double)r->moved / r->mean_max / 1e6
                         : 0);
}

#define RATE_OF_RANK                                                           \
    {                                                                          \
        { "bandwidth_mb_per_s", "MB/s per Rank", 0 }, slowest_rank_rate        \
    }

#define LATENCY                                                                \
    {                                                                          \
        { "latency_us", "Avg Latency(us)", 0 }, report_mean                    \
    }
static const struct report_column ring_columns[] = {
    LATENCY,
    REPORT_EXTREMES,
    RATE_OF_RANK,
    { .value = NULL },
};

#define OF_SLOWEST                                                             \
    "MB/s (10^6 bytes per second, in and out) of the slowest rank"

const struct report report_ring = {
    .unit = "us",
    .sample = "one MPI_Sendrecv on every rank, after all ranks were "
              "synchronized",
    .printed = "us, mean over iterations, then over ranks; and " OF_SLOWEST,
    .figure = two_messages,
    .headline = ring_columns,
};
const struct report report_neighbor_exchange = {
    .unit = "us",
    .sample = "two messages sent and two received on every rank, after all "
              "ranks were synchronized",
    .printed = "us, mean over iterations, then over ranks; and " OF_SLOWEST,
    .figure = four_messages,
    .headline = ring_columns,
};

/* --- Many patterns --------------------------------------------------------------- */

/* What so many quarters of the patterns do not exceed. */
#define QUARTER(n) COLUMN_OF(struct patterns, report.quarter[n])

static const struct report_column rings_columns[] = {
    LATENCY,
    REPORT_EXTREMES,
    RATE_OF_RANK,
    { { "median_ring_us", "Median Ring(us)", 0 }, QUARTER(2) },
    { { "worst_ring_us", "Worst Ring(us)", 0 }, QUARTER(4) },
    { .value = NULL },
};

static void mean_of_rings(const struct context *c, struct result *result)
{
    const int n = patterns_of(c->run)->n;

    result->scale = 1.0 / n;
    result->messages = 2.0 * n;
}

const struct report report_random_rings = {
    .unit = "us",
    .sample = "one MPI_Sendrecv on every rank in each ring, after all ranks "
              "were synchronized; the sum over the rings",
    .printed = "us of one ring, mean over rings, iterations and ranks; "
               "median ring and worst ring; and " OF_SLOWEST,
    .figure = mean_of_rings,
    .headline = rings_columns,
};

/* Bandwidth of a pair in both directions, in that time. */
static double pair_rate(const struct pattern_report *p, double time_s)
{
    return time_s > 0 ? 2 * (double)p->bytes / time_s / 1e6 : 0;
}

static const struct report_column bisection_columns[] = {
    { { "bandwidth_mb_per_s", "Bandwidth (MB/s)", 0 }, report_mean },
    { { "matching_25_mb_per_s", "25% Matching", 0 }, QUARTER(1) },
    { { "matching_50_mb_per_s", "Median Matching", 0 }, QUARTER(2) },
    { { "matching_75_mb_per_s", "75% Matching", 0 }, QUARTER(3) },
    { { "slowest_pair_mb_per_s", "Slowest Pair", 0 },
      COLUMN_OF(struct patterns, report.slowest_pair) },
    { .value = NULL },
};

static void sum_of_pairs(const struct context *c, struct result *result)
{
    const struct patterns *p = patterns_of(c->run);

    result->messages = 2.0 * p->n * p->pairs;
}

const struct report report_bisection = {
    .unit = "MB/s",
    .sample = "one message each way between the ranks of all pairs, after all "
              "ranks were synchronized; the sum over the matchings",
    .printed =
        MB_PER_S ", sum of all pairs and both directions), payload / mean time "
                 "of the ranks; the quartiles of the matchings; and the "
                 "slowest pair",
    .is_rate = true,
    .both_ways = true,
    .figure = sum_of_pairs,
    .headline = bisection_columns,
};

/* --- The values of a row ----------------------------------------------------------- */

bool pattern_report_begin(struct pattern_report *p, int n, int pairs)
{
    *p = (struct pattern_report){ .n = n, .pairs = pairs };
    p->pattern = calloc((size_t)n, sizeof *p->pattern);
    p->sorted = calloc((size_t)n, sizeof *p->sorted);
    return p->pattern != NULL && p->sorted != NULL;
}

void pattern_report_end(struct pattern_report *p)
{
    free(p->pattern);
    free(p->sorted);
    *p = (struct pattern_report){ 0 };
}

void pattern_report_row(struct pattern_report *p, MPI_Comm comm,
                        struct part_times *times, const struct peers *peers,
                        bool active, const struct result *result)
{
    double longest = 0;

    p->bytes = result->moved;
    p->known = part_times_agree(times, comm) > 0;
    for (int k = 0; k < p->n; k++) {
        struct pattern_value *v = &p->pattern[k];
        const double mine = part_times_median(times, k);

        v->time_s = over_ranks_spread(comm, mine, active).mean;
        v->slowest = over_ranks_longest(comm, active ? mine : -1, peers[k].to);
        longest = fmax(longest, v->slowest.time);
        v->value =
            p->pairs > 0 ? p->pairs * pair_rate(p, v->time_s) : 1e6 * v->time_s;
        p->sorted[k] = v->value;
    }
    stats_sort(p->sorted, (size_t)p->n);
    for (int i = 0; i <= 4; i++)
        p->quarter[i] =
            p->known ? stats_quantile(p->sorted, (size_t)p->n, 0.25 * i) : NAN;
    p->slowest_pair = p->known ? pair_rate(p, longest) : NAN;
}

/* --- JSON ------------------------------------------------------------------------- */

void pattern_report_record(const struct pattern_report *p, struct fields to)
{
    const struct fields list = fields_list(to, "patterns");

    for (int k = 0; p->known && k < p->n; k++) {
        const struct pattern_value *v = &p->pattern[k];
        const struct fields one = fields_object(list, NULL);

        fields_real(one, "value", v->value);
        fields_int(one, "slowest_rank", v->slowest.rank);
        fields_int(one, "sends_to", v->slowest.partner);
        fields_us(one, "slowest_us", v->slowest.time);
    }
}
