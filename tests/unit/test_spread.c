/* SPDX-License-Identifier: BSD-3-Clause */
/* Moments that keep their digits; the tails of known arrays. */
#include "unit.h"
#include "unit_series.h"

#include "stats/stats.h"

enum { MOST = 12, LONG = 10000 };

/* As the definition has it, with a second sort. */
static double slow_mad(const double *sorted, size_t n)
{
    double distance[60];

    for (size_t i = 0; i < n; i++)
        distance[i] = fabs(sorted[i] - stats_quantile(sorted, n, 0.5));
    stats_sort(distance, n);
    return stats_quantile(distance, n, 0.5);
}

TEST(limits_are_median_distances_away)
{
    double value[60];

    unit_state = 5;
    for (size_t n = 1; n <= LENGTH(value); n++) {
        struct outliers o;
        double mad;

        for (size_t i = 0; i < n; i++)
            value[i] = floor(20 / (unit_uniform() + 1e-3));
        stats_sort(value, n);
        mad = slow_mad(value, n);
        o = stats_outliers(value, n, 0.6745);
        if (mad > 0)
            assert_near((o.to - o.from) / 2, mad, 1e-9);
    }
}

static const struct outlier_row {
    const char *name;
    size_t n;
    double sorted[MOST], threshold;
    size_t low, high;
} outlier_rows[] = {
    { "none of none", 0, { 0 }, 3.5, 0, 0 },
    { "none of one", 1, { 5 }, 3.5, 0, 0 },
    { "none where all are equal", 4, { 5, 5, 5, 5 }, 3.5, 0, 0 },
    /* median 5, MAD 2: the limit 3.5 is at 5 + 10.378 */
    { "one above", 8, { 2, 3, 4, 5, 6, 7, 15, 16 }, 3.5, 0, 1 },
    { "one on either side", 7, { -9, 4, 5, 6, 7, 8, 60 }, 3.5, 1, 1 },
    { "at the default it takes more",
      7,
      { -9, 4, 5, 6, 7, 8, 60 },
      14.8,
      0,
      1 },
    /* MAD 0; the mean distance is 5 / 11: the limit is 3 + 3.5 * 0.5697 */
    { "a coarse clock: the mean distance stands in",
      11,
      { 3, 3, 3, 3, 3, 3, 3, 3, 3, 4, 7 },
      3.5,
      0,
      1 },
};

TEST_ROWS(outlier_rows, outliers_are)
{
    const struct outliers o =
        stats_outliers(row->sorted, row->n, row->threshold);

    assert_int_equal(o.low, row->low);
    assert_int_equal(o.high, row->high);
    if (row->n > 0)
        assert_near(o.share, (double)(row->low + row->high) / (double)row->n,
                    1e-15);
}

/* Limits for the share of clean samples that are flagged. */
static const struct flagged_row {
    const char *name;
    double sigma, threshold, least, most;
} flagged_rows[] = {
    { "few clean log-normal times at the default", 0.4, OUTLIER_THRESHOLD, 0,
      1e-5 },
    { "many at the threshold for normal data", 0.4, 3.5, 0.01, 0.03 },
};

TEST_ROWS(flagged_rows, flagged_are)
{
    static double value[LONG];
    double share = 0;

    unit_state = 9;
    for (int trial = 0; trial < 20; trial++) {
        for (size_t i = 0; i < LONG; i++)
            value[i] = exp(row->sigma * unit_normal());
        stats_sort(value, LONG);
        share += stats_outliers(value, LONG, row->threshold).share / 20;
    }
    printf("# %s: %.2g\n", row->name, share);
    assert_true(share >= row->least && share <= row->most);
}

/* In units of the last digit of 1e9: whole numbers of eighths are exact. */
TEST(an_offset_costs_no_digits)
{
    static double value[LONG];
    struct moments m = { 0 };
    struct stats s;

    for (size_t i = 0; i < LONG; i++)
        value[i] = 1e9 + (double)(i % 8) / 8;
    moments_add(&m, value, LONG);
    assert_near(moments_mean(&m), 1e9 + 0.4375, 0);
    /* The variance of 0, 1, ... 7 is 63 / 12. */
    assert_near(moments_stddev(&m), sqrt(63.0 / 12 / 64 * LONG / (LONG - 1.0)),
                1e-14);
    s = stats_of(value, LONG);
    assert_near(s.mean, 1e9 + 0.4375, 0);
    assert_near(s.stddev, moments_stddev(&m), 1e-14);
}

TEST(means_stay_between_the_ends)
{
    double value[30];

    unit_state = 3;
    for (size_t n = 1; n <= LENGTH(value); n++) {
        const double x = unit_uniform();
        struct moments m = { 0 };

        for (size_t i = 0; i < n; i++)
            value[i] = x;
        moments_add(&m, value, n);
        assert_near(moments_mean(&m), x, 0);
        assert_near(moments_stddev(&m), 0, 0);
    }
}

TEST(parts_add_up_to_the_whole)
{
    static double value[LONG];
    struct moments whole = { 0 }, parts = { 0 };

    unit_state = 11;
    for (size_t i = 0; i < LONG; i++)
        value[i] = 1e6 + exp(unit_normal());
    moments_add(&whole, value, LONG);
    for (size_t from = 0, size = 0; from < LONG;
         from += size, size = size * 2 + 1)
        moments_add(&parts, value + from,
                    from + size < LONG ? size : LONG - from);
    assert_memory_equal(&parts, &whole, sizeof whole);
}
