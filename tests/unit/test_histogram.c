/* SPDX-License-Identifier: BSD-3-Clause */
/* Histograms against the sorted samples that they stand for. */
#include "unit.h"
#include "unit_series.h"

#include "stats/histogram.h"

enum { MOST = 20000 };

/* The promise of the header, and one rounding. */
static const double WITHIN = 1.0 / 2048 + 1e-15;

static double series[MOST], sorted[MOST];

/* The counters by hand: which one a value is added to. */
static const struct counter_row {
    const char *name;
    double seconds;
    size_t counter;
} counter_rows[] = {
    { "zero", 0, HISTOGRAM_BELOW },
    { "minus zero", -0.0, HISTOGRAM_BELOW },
    { "negative", -1e-6, HISTOGRAM_BELOW },
    { "denormal", 1e-310, HISTOGRAM_BELOW },
    { "just too short", 0x1.fffffffffffffp-31, HISTOGRAM_BELOW },
    { "the shortest", 0x1p-30, 1 },
    { "the end of the first bin", 0x1.003fffffffffep-30, 1 },
    { "the second bin", 0x1.004p-30, 2 },
    { "1 s", 1, 30 * HISTOGRAM_CUTS + 1 },
    { "1 s and a half: the middle of a power of two", 1.5,
      30 * HISTOGRAM_CUTS + HISTOGRAM_CUTS / 2 + 1 },
    { "the longest", 0x1.fffffffffffffp+9, HISTOGRAM_BINS },
    { "just too long", 1024, HISTOGRAM_ABOVE },
    { "far too long", 1e300, HISTOGRAM_ABOVE },
};

TEST_ROWS(counter_rows, counter_is)
{
    struct histogram h;
    uint64_t all = 0;

    assert_true(histogram_begin(&h));
    histogram_add_many(&h, &row->seconds, 1);
    assert_int_equal(h.count[row->counter], 1);
    for (size_t i = 0; i < HISTOGRAM_COUNTERS; i++)
        all += h.count[i];
    assert_int_equal(all, 1);
    assert_int_equal(h.moments.n, 1);
    assert_near(histogram_quantile(&h, 0.5), row->seconds, 0);
    histogram_clear(&h);
    assert_int_equal(h.count[row->counter] + h.moments.n, 0);
    histogram_end(&h);
}

static double micro(size_t i, size_t n)
{
    (void)i;
    (void)n;
    return 1e-6 * exp(unit_normal());
}

/* Of all lengths that have a bin. */
static double any_length(size_t i, size_t n)
{
    (void)i;
    (void)n;
    return exp2(HISTOGRAM_FIRST +
                (HISTOGRAM_LAST - HISTOGRAM_FIRST) * unit_uniform());
}

static double ticks(size_t i, size_t n)
{
    (void)i;
    (void)n;
    return 41e-9 * floor(5 + 5 * unit_uniform());
}

static double alone(size_t i, size_t n)
{
    (void)i;
    (void)n;
    return 0.31e-6;
}

/* A hundredth each beyond the bins, below and above. */
static double beyond(size_t i, size_t n)
{
    const double u = unit_uniform();

    (void)i;
    (void)n;
    return u < 0.01 ? -u : u > 0.99 ? 2000 + u : u;
}

/* As far as it has a bin; elsewhere any figure of the same side will do. */
static void assert_stands_for(double got, double expected)
{
    if (expected < 0x1p-30)
        assert_true(got < 0x1p-30);
    else if (expected >= 1024)
        assert_true(got >= 1024);
    else
        assert_near(got, expected, WITHIN * expected);
}

static void assert_describes(const struct histogram *h, double tau)
{
    const struct stats got = histogram_stats(h, tau);
    struct stats s = stats_of(sorted, h->moments.n);
    size_t lower, upper;

    assert_int_equal(got.n, s.n);
    assert_near(got.mean, s.mean, 1e-12 * fabs(s.mean));
    assert_near(got.stddev, s.stddev, 1e-12 * s.stddev);
    assert_near(got.min, s.min, 0);
    assert_near(got.max, s.max, 0);
    assert_near(got.tau, tau, 0);
    assert_stands_for(got.median, s.median);
    assert_int_equal(got.has_interval,
                     stats_ranks_tau(s.n, 0.5, tau, &lower, &upper));
    if (!got.has_interval)
        return;
    assert_true(got.ci_low <= sorted[lower - 1]);
    assert_true(got.ci_high >= sorted[upper - 1]);
    assert_near(got.ci_low, sorted[lower - 1], 2 * WITHIN * sorted[lower - 1]);
    assert_near(got.ci_high, sorted[upper - 1], 2 * WITHIN * sorted[upper - 1]);
    assert_true(got.ci_low <= got.median && got.median <= got.ci_high);
}

static const struct stands_row {
    const char *name;
    unit_draw draw;
    size_t n;
    double tau;
} stands_rows[] = {
    { "one", micro, 1, 1 },
    { "two", micro, 2, 1 },
    { "five have no interval", micro, 5, 1 },
    { "six have one", micro, 6, 1 },
    { "six that are worth two have none", micro, 6, 3 },
    { "less than a block", micro, 255, 1 },
    { "blocks of many", micro, MOST, 1 },
    { "correlated ones", micro, 1000, 4 },
    { "all lengths", any_length, MOST, 1 },
    { "readings of a coarse clock", ticks, 1000, 1 },
    { "all equal", alone, 1000, 1 },
    { "some beyond the bins", beyond, MOST, 1 },
};

TEST_ROWS(stands_rows, histogram_stands_for_samples)
{
    struct histogram h;
    double before;

    unit_state = 7;
    unit_series(series, row->n, row->draw);
    assert_true(histogram_begin(&h));
    histogram_add_many(&h, series, row->n);
    memcpy(sorted, series, row->n * sizeof *sorted);
    assert_describes(&h, row->tau);
    before = h.moments.min;
    for (int i = 0; i <= 1000; i++) {
        const double q = histogram_quantile(&h, i / 1000.0);

        assert_stands_for(q, stats_quantile(sorted, row->n, i / 1000.0));
        assert_true(before <= q && q <= h.moments.max);
        before = q;
    }
    histogram_end(&h);
}

TEST(nothing_gives_zeros)
{
    struct histogram h;
    struct stats s;

    assert_true(histogram_begin(&h));
    histogram_add_many(&h, NULL, 0);
    s = histogram_stats(&h, 1);
    assert_int_equal(s.n, 0);
    assert_near(s.mean, 0, 0);
    assert_near(s.median, 0, 0);
    assert_false(s.has_interval);
    histogram_end(&h);
    assert_null(h.count);
    histogram_end(&h);
}

TEST(it_is_as_small_as_it_says)
{
    assert_true(HISTOGRAM_COUNTERS * sizeof(uint64_t) <= 512 * 1024);
}
