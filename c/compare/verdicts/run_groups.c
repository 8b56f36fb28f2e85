/* SPDX-License-Identifier: BSD-3-Clause */
#include "run_groups.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "stats/stats.h"
#include "text/text.h"

enum { GROUP = 2 }; /* least number of runs in a group */

/* Xorshift64* (Vigna 2016): rand() differs between C libraries. */
static double uniform(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return ((double)(*state * 0x2545f4914f6cdd1du >> 11) + 0.5) /
           9007199254740992.0;
}

/* Box and Muller. */
static double normal(uint64_t *state)
{
    const double radius = sqrt(-2 * log(uniform(state)));

    return radius * cos(2 * M_PI * uniform(state));
}

/* What rounding adds to the sum of squares of n values, if the smallest difference of two
   is the step of the clock. */
static double rounding(const double *sorted, size_t n)
{
    double step = HUGE_VAL;

    for (size_t i = 1; i < n; i++)
        if (sorted[i] > sorted[i - 1])
            step = fmin(step, sorted[i] - sorted[i - 1]);
    return step < HUGE_VAL ? (double)n * step * step / 12 : 0;
}

/* The best split: number of values in the lower group, into *lower, and the sum of
   squares within the groups.  With s the sum of k values, the squares about their mean
   are the sum of squares - s^2 / k, and values are counted from the first. */
static double best_split(const double *sorted, size_t n, size_t *lower)
{
    double all = 0, squares = 0, below = 0, most = -1;

    for (size_t i = 0; i < n; i++) {
        const double x = sorted[i] - sorted[0];

        all += x;
        squares += x * x;
    }
    *lower = 0;
    for (size_t k = 1; k + GROUP <= n; k++) {
        const double above = all - (below += sorted[k - 1] - sorted[0]);
        const double told =
            below * below / (double)k + above * above / (double)(n - k);

        if (k >= GROUP && told > most) {
            most = told;
            *lower = k;
        }
    }
    return fmax(squares - most, 0);
}

static double squares_of(const double *sorted, size_t n)
{
    struct moments all = { .n = 0 };

    moments_add(&all, sorted, n);
    return all.squares;
}

/* What the best split leaves of the sum of squares; 1: all values are equal. */
static double share_of(const double *sorted, size_t n, size_t *lower)
{
    const double steps = rounding(sorted, n), all = squares_of(sorted, n);
    const double within = best_split(sorted, n, lower);

    return all > 0 ? fmin((within + steps) / (all + steps), 1) : 1;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void simulate(struct run_groups_null *null, size_t n)
{
    double *value = given_memory(malloc(n * sizeof *value));
    uint64_t state = 0x9e3779b97f4a7c15u;
    size_t lower;

    for (int i = 0; i < RUN_GROUPS_DRAWS; i++) {
        for (size_t k = 0; k < n; k++)
            value[k] = exp(normal(&state));
        stats_sort(value, n);
        null->share[i] = share_of(value, n, &lower);
    }
    qsort(null->share, RUN_GROUPS_DRAWS, sizeof *null->share, by_value);
    null->n = n;
    free(value);
}

static double p_of(double share, size_t n, struct run_groups_null *null)
{
    int k = 0;

    if (null->n != n)
        simulate(null, n);
    while (k < RUN_GROUPS_DRAWS && null->share[k] <= share)
        k++;
    return (k + 1.0) / (RUN_GROUPS_DRAWS + 1.0);
}

static double middle_of(const double *sorted, size_t n)
{
    return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
}

struct run_groups run_groups_of(const double *sorted, size_t n,
                                struct run_groups_null *null)
{
    struct run_groups g = { .p = 1, .share = 1, .ratio = 1 };

    if (n < RUN_GROUPS_LEAST)
        return g;
    g.share = share_of(sorted, n, &g.lower);
    g.p = p_of(g.share, n, null);
    for (int i = 0; i < 2; i++) {
        const double *from = sorted + (i == 0 ? 0 : g.lower);
        const size_t k = i == 0 ? g.lower : n - g.lower;
        struct moments group = { .n = 0 };

        moments_add(&group, from, k);
        g.mean[i] = moments_mean(&group);
        g.middle[i] = middle_of(from, k);
        g.scatter += group.squares;
    }
    g.scatter = sqrt(g.scatter / (double)(n - 2));
    g.ratio = exp(g.middle[1] - g.middle[0]);
    return g;
}

bool run_groups_are_two(const struct run_groups *g, double p)
{
    return p <= RUN_GROUPS_LEVEL && g->ratio >= RUN_GROUPS_RATIO;
}
