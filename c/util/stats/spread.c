/* SPDX-License-Identifier: BSD-3-Clause */
#include "spread.h"

#include "moments.h"
#include "stats.h"

#include <math.h>

/* For normal data: median distance / standard deviation, and standard deviation /
   mean distance. */
static const double DISTANCE_OF_NORMAL = 0.6745, MEAN_OF_NORMAL = 1.2533;

/* Median of the distances from the median. */
static double median_distance(const double *sorted, size_t n)
{
    size_t below, above, left;
    double median, distance = 0;

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
    const double distance = median_distance(sorted, n);
    const double median = stats_quantile(sorted, n, 0.5);
    struct sum sum = { 0 };

    if (distance > 0)
        return distance / DISTANCE_OF_NORMAL;
    for (size_t i = 0; i < n; i++)
        sum_add(&sum, fabs(sorted[i] - median));
    return MEAN_OF_NORMAL * sum_value(&sum) / (double)n;
}

struct outliers spread_outliers(const double *sorted, size_t n,
                                double threshold)
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
