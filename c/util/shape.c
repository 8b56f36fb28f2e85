/* SPDX-License-Identifier: BSD-3-Clause */
#include "shape.h"

#include "moments.h"
#include "stats.h"

#include <math.h>

static const double MAD_OF_NORMAL = 0.6745;  /* MAD / standard deviation */
static const double MEAN_OF_NORMAL = 1.2533; /* the deviation / mean distance */

static double mean_of(const double *sorted, size_t n)
{
    const struct moments m = moments_of(sorted, n);

    return moments_mean(&m);
}

double shape_trimmed_mean(const double *sorted, size_t n, double share)
{
    /* The small term: 0.07 * 100 is a little more than 7, 0.29 * 100 less
       than 29 in binary fractions. */
    const size_t cut = (size_t)floor(share * (double)n + 1e-9);

    return 2 * cut < n ? mean_of(sorted + cut, n - 2 * cut) : 0;
}

double shape_interquartile_mean(const double *sorted, size_t n)
{
    const size_t cut = n / 4;
    const double weight = 1 - (double)(n % 4) / 4;
    struct sum sum = { 0 };

    if (n < 2)
        return n == 1 ? sorted[0] : 0;
    sum_add(&sum, weight * sorted[cut]);
    for (size_t i = cut + 1; i + cut + 1 < n; i++)
        sum_add(&sum, sorted[i]);
    sum_add(&sum, weight * sorted[n - 1 - cut]);
    return fmin(fmax(sum_value(&sum) / ((double)n / 2), sorted[0]),
                sorted[n - 1]);
}

double shape_mad(const double *sorted, size_t n)
{
    size_t below, above, left;
    double median, distance = 0;

    if (n == 0)
        return 0;
    /* Sorted values leave the median in order of distance on either side: a
       merge of the two sides stops at the middle one, without a second sort. */
    above = stats_rank(n, 0.5) - 1;
    below = above;
    median = sorted[above];
    for (left = stats_rank(n, 0.5); left > 0; left--) {
        if (below == 0 ||
            (above < n && sorted[above] - median < median - sorted[below - 1]))
            distance = sorted[above++] - median;
        else
            distance = median - sorted[--below];
    }
    return distance;
}

/* What stands for one standard deviation. */
static double scale_of(const double *sorted, size_t n)
{
    const double mad = shape_mad(sorted, n);
    const double median = stats_quantile(sorted, n, 0.5);
    struct sum sum = { 0 };

    if (mad > 0)
        return mad / MAD_OF_NORMAL;
    for (size_t i = 0; i < n; i++)
        sum_add(&sum, fabs(sorted[i] - median));
    return MEAN_OF_NORMAL * sum_value(&sum) / (double)n;
}

struct outliers shape_outliers(const double *sorted, size_t n, double threshold)
{
    struct outliers o = { 0 };
    double median, reach;

    if (n == 0)
        return o;
    median = stats_quantile(sorted, n, 0.5);
    reach = threshold * scale_of(sorted, n);
    o.from = median - reach;
    o.to = median + reach;
    while (o.low < n && sorted[o.low] < o.from)
        o.low++;
    while (o.high < n && sorted[n - 1 - o.high] > o.to)
        o.high++;
    o.share = (double)(o.low + o.high) / (double)n;
    return o;
}
