/* SPDX-License-Identifier: BSD-3-Clause */
#include "stats.h"

#include "moments.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { EXACT_UP_TO = 1000 };

static const double TAIL = 0.025;  /* outside, on either side */
static const double NORMAL = 1.96; /* its quantile of the normal distribution */

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

void stats_sort(double *values, size_t n)
{
    qsort(values, n, sizeof *values, by_value);
}

size_t stats_rank(size_t n, double p)
{
    /* The small term keeps 0.9 * 10 at 9 where binary fractions give 9.0...1 */
    const double rank = ceil(p * (double)n - 1e-9);

    if (rank < 1)
        return 1;
    return rank < (double)n ? (size_t)rank : n;
}

double stats_quantile(const double *sorted, size_t n, double p)
{
    return sorted[stats_rank(n, p) - 1];
}

/* Walk the cumulative binomial distribution once, terms by their logarithm. */
static void exact_ranks(size_t n, double p, size_t *lower, size_t *upper)
{
    double cumulative = 0;

    *lower = 0;
    *upper = n + 1;
    for (size_t k = 0; k <= n; k++) {
        cumulative += exp(lgamma((double)n + 1) - lgamma((double)k + 1) -
                          lgamma((double)(n - k) + 1) + (double)k * log(p) +
                          (double)(n - k) * log1p(-p));
        if (cumulative <= TAIL)
            *lower = k + 1;
        if (cumulative >= 1 - TAIL) {
            *upper = k + 1;
            return;
        }
    }
}

bool stats_ranks(size_t n, double p, size_t *lower, size_t *upper)
{
    if (n == 0 || p <= 0 || p >= 1)
        return false;
    if (n <= EXACT_UP_TO) {
        exact_ranks(n, p, lower, upper);
    } else {
        const double centre = (double)n * p;
        const double spread = NORMAL * sqrt((double)n * p * (1 - p));

        *lower = centre > spread ? (size_t)floor(centre - spread) : 0;
        *upper = (size_t)ceil(1 + centre + spread);
    }
    return *lower >= 1 && *upper <= n;
}

struct stats stats_of(double *values, size_t n)
{
    struct stats s = { .n = n, .tau = 1 };
    struct moments m;
    size_t lower, upper;

    if (n == 0)
        return s;
    stats_sort(values, n);
    m = moments_of(values, n);
    s.mean = moments_mean(&m);
    s.stddev = moments_stddev(&m);
    s.min = values[0];
    s.max = values[n - 1];
    s.median = stats_quantile(values, n, 0.5);
    s.has_interval = stats_ranks(n, 0.5, &lower, &upper);
    if (s.has_interval) {
        s.ci_low = values[lower - 1];
        s.ci_high = values[upper - 1];
    }
    return s;
}

bool stats_ranks_tau(size_t n, double p, double tau, size_t *lower,
                     size_t *upper)
{
    const double factor = sqrt(tau);
    double middle, low, high;

    if (!stats_ranks(n, p, lower, upper))
        return false;
    /* For the median it is the middle of the ranks 1..n. */
    middle = ((double)n + 1) * p;
    low = floor(middle - (middle - (double)*lower) * factor);
    high = ceil(middle + ((double)*upper - middle) * factor);
    if (!(low >= 1 && high <= (double)n))
        return false;
    *lower = (size_t)low;
    *upper = (size_t)high;
    return true;
}

struct stats stats_of_series(const double *series, double *sorted, size_t n)
{
    struct stats s;
    size_t lower, upper;

    if (n > 0)
        memcpy(sorted, series, n * sizeof *sorted);
    s = stats_of(sorted, n);
    s.tau = stats_tau(series, n, s.median);
    s.has_interval = stats_ranks_tau(n, 0.5, s.tau, &lower, &upper);
    if (s.has_interval) {
        s.ci_low = sorted[lower - 1];
        s.ci_high = sorted[upper - 1];
    }
    return s;
}

double stats_half_width(const struct stats *s)
{
    if (!s->has_interval || s->median <= 0)
        return HUGE_VAL;
    return fmax(s->ci_high - s->median, s->median - s->ci_low) / s->median;
}
