/* SPDX-License-Identifier: BSD-3-Clause */
#include "next_run.h"

#include <math.h>

#include "stats/stats.h"

#define TAIL 0.025

/* Of runs in two groups: least number in a group, least share of the gap in the range, its
   greatest probability, least distance of the medians. */
enum { GROUP = 2 };
static const double GAP = 0.6, BY_CHANCE = 0.01, APART = 0.02;

/* The value at that rank, counted from 1, between two neighbors if it is not whole. */
static double at_rank(const double *sorted, size_t n, double rank)
{
    const size_t k = rank < 1 ? 1 : (size_t)rank;

    return k >= n ? sorted[n - 1]
                  : sorted[k - 1] +
                        (rank - (double)k) * (sorted[k] - sorted[k - 1]);
}

static struct next_run by_ranks(const double *sorted, size_t n)
{
    return (struct next_run){
        .by = "order statistics",
        .low = exp(at_rank(sorted, n, TAIL * (double)(n + 1))),
        .high = exp(at_rank(sorted, n, (1 - TAIL) * (double)(n + 1)))
    };
}

static struct next_run by_t(const double *sorted, size_t n)
{
    const double tail = TAIL * (1 - 2 / (double)n);
    struct moments all = { .n = 0 };
    double half;

    moments_add(&all, sorted, n);
    half = stats_student(tail, n - 1) * moments_stddev(&all) *
           sqrt(1 + 1 / (double)n);
    return (struct next_run){ .by = "t",
                              .low = exp(moments_mean(&all) - half),
                              .high = exp(moments_mean(&all) + half) };
}

struct next_run next_run_of(const double *sorted, size_t n)
{
    return n >= NEXT_RUN_RANKS   ? by_ranks(sorted, n)
           : n >= NEXT_RUN_LEAST ? by_t(sorted, n)
                                 : (struct next_run){ .by = NULL };
}

struct run_groups run_groups_of(const double *sorted, size_t n)
{
    struct run_groups g = { .lower = 0 };
    double gap = 0, step = HUGE_VAL, share;

    if (n < NEXT_RUN_LEAST)
        return g;
    for (size_t k = 1; k < n; k++) {
        const double far = sorted[k] - sorted[k - 1];

        if (far > 0)
            step = fmin(step, far);
        if (k >= GROUP && k + GROUP <= n && far > gap) {
            gap = far;
            g.lower = k;
        }
    }
    if (g.lower == 0)
        return g;
    g.middle[0] = stats_quantile(sorted, g.lower, 0.5);
    g.middle[1] = stats_quantile(sorted + g.lower, n - g.lower, 0.5);
    share = (gap - step) / (sorted[n - 1] - sorted[0]);
    if (!(share > GAP) ||
        (double)(n - 3) * pow(1 - share, (double)(n - 2)) > BY_CHANCE ||
        g.middle[1] - g.middle[0] < log1p(APART))
        g.lower = 0;
    return g;
}
