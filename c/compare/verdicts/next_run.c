/* SPDX-License-Identifier: BSD-3-Clause */
#include "next_run.h"

#include <math.h>

#include "stats/stats.h"

#define TAIL 0.025

/* P(|T| <= t). */
static double student_within(double t, size_t freedom)
{
    const double angle = atan(t / sqrt((double)freedom));
    const double c2 = cos(angle) * cos(angle);
    const bool odd = freedom % 2 == 1;
    double term = odd ? cos(angle) : 1, sum = term;

    if (freedom == 1)
        return 2 * angle / M_PI;
    for (size_t k = odd ? 3 : 2; k + 2 <= freedom; k += 2) {
        term *= c2 * (double)(k - 1) / (double)k;
        sum += term;
    }
    return odd ? 2 / M_PI * (angle + sin(angle) * sum) : sin(angle) * sum;
}

double student_t(double tail, size_t freedom)
{
    double low = 0, high = 1;

    while ((1 - student_within(high, freedom)) / 2 > tail && high < 1e12)
        high *= 2;
    for (int i = 0; i < 80; i++) {
        const double t = (low + high) / 2;

        if ((1 - student_within(t, freedom)) / 2 > tail)
            low = t;
        else
            high = t;
    }
    return high;
}

/* The value at that rank, counted from 1, between two neighbors if it is not whole. */
static double at_rank(const double *sorted, size_t n, double rank)
{
    const size_t k = rank < 1 ? 1 : (size_t)rank;

    return k >= n ? sorted[n - 1]
                  : sorted[k - 1] +
                        (rank - (double)k) * (sorted[k] - sorted[k - 1]);
}

/* Half the width for one more of n values that have this standard deviation. */
static double reach(double tail, size_t freedom, double deviation, size_t n)
{
    return tail >= 0.5
               ? 0
               : student_t(tail, freedom) * deviation * sqrt(1 + 1 / (double)n);
}

static void by_t(const double *sorted, size_t n, double tail,
                 struct next_run *next)
{
    struct moments all = { .n = 0 };
    double half;

    moments_add(&all, sorted, n);
    half = reach(tail, n - 1, moments_stddev(&all), n);
    next->by = NEXT_RUN_BY_T;
    next->low = moments_mean(&all) - half;
    next->high = moments_mean(&all) + half;
}

static void by_groups(size_t n, const struct run_groups *g, double tail,
                      struct next_run *next)
{
    const size_t lower = g->lower, upper = n - g->lower;
    const double all = (double)n;

    next->by = NEXT_RUN_BY_GROUPS;
    next->low = g->mean[0] -
                reach(tail * all / (double)lower, n - 2, g->scatter, lower);
    next->high = g->mean[1] +
                 reach(tail * all / (double)upper, n - 2, g->scatter, upper);
}

struct next_run next_run_of(const double *sorted, size_t n,
                            const struct run_groups *g)
{
    const double tail = TAIL * (1 - 2 / (double)n);
    struct next_run next = { .by = NEXT_RUN_BY_NONE };

    if (n < NEXT_RUN_LEAST)
        return next;
    if (n >= NEXT_RUN_RANKS) {
        next.by = NEXT_RUN_BY_RANKS;
        next.low = at_rank(sorted, n, TAIL * (double)(n + 1));
        next.high = at_rank(sorted, n, (1 - TAIL) * (double)(n + 1));
    } else if (run_groups_are_two(g, g->p)) {
        by_groups(n, g, tail, &next);
    } else {
        by_t(sorted, n, tail, &next);
    }
    if (next.by != NEXT_RUN_BY_RANKS) {
        next.low = fmin(next.low, sorted[0]);
        next.high = fmax(next.high, sorted[n - 1]);
    }
    next.low = exp(next.low);
    next.high = exp(next.high);
    return next;
}

const char *next_run_word(enum next_run_by by)
{
    static const char *const word[] = {
        [NEXT_RUN_BY_NONE] = NULL,
        [NEXT_RUN_BY_T] = "t",
        [NEXT_RUN_BY_GROUPS] = "two groups",
        [NEXT_RUN_BY_RANKS] = "order statistics",
    };

    return word[by];
}
