/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples kept one by one, then counted: nothing is lost at the border. */
#include "unit.h"

#include "stats/series.h"
#include "stats/stats.h"

enum { MOST = 3 * SERIES_ROOM };

static double value[MOST], sorted[MOST];

/* Values between 1 and 2 us, in no order, all different. */
BEFORE_TESTS
{
    uint64_t x = 88172645463325252u;

    for (int i = 0; i < MOST; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        value[i] = 1e-6 * (1 + (double)(x >> 11) / 9007199254740992.0);
    }
}

static const struct length_row {
    const char *name;
    size_t n, at_once; /* samples, and in portions of */
} length_rows[] = {
    { "none", 0, 1 },
    { "one", 1, 1 },
    { "some", 1000, 7 },
    { "exactly what is kept", SERIES_ROOM, 4096 },
    { "one more", SERIES_ROOM + 1, SERIES_ROOM + 1 },
    { "over the border in the middle of a portion", SERIES_ROOM + 500, 1000 },
    { "three times as many", MOST, 4096 },
};

TEST_ROWS(length_rows, series_is_what_was_added)
{
    const bool exact = row->n <= SERIES_ROOM;
    const double within = exact ? 0 : 1e-3; /* relative */
    struct series s;
    struct stats got, all;

    assert_true(series_begin(&s));
    series_add(&s, value, 100); /* values of an earlier row */
    series_clear(&s);
    for (size_t i = 0; i < row->n; i += row->at_once)
        series_add(&s, value + i,
                   row->n - i < row->at_once ? row->n - i : row->at_once);
    got = series_describe(&s);
    memcpy(sorted, value, row->n * sizeof *sorted);
    all = stats_of(sorted, row->n);
    assert_int_equal(got.n, row->n);
    assert_int_equal(s.kept, exact ? row->n : SERIES_ROOM);
    assert_near(got.mean, all.mean, 1e-12 * all.mean);
    assert_near(got.stddev, all.stddev, 1e-9 * all.stddev);
    assert_near(got.min, all.min, 0);
    assert_near(got.max, all.max, 0);
    assert_near(got.median, all.median, within * all.median);
    assert_int_equal(got.has_interval, all.has_interval);
    for (double p = 0; row->n > 0 && p <= 1; p += 0.125)
        assert_near(series_quantile(&s, p), stats_quantile(sorted, row->n, p),
                    within * 2e-6);
    /* Independent values: the interval is not much wider than it must be. */
    if (got.has_interval && row->n > 100)
        assert_near(got.ci_high - got.ci_low, all.ci_high - all.ci_low,
                    0.5 * (all.ci_high - all.ci_low) + within * 2e-6);
    series_end(&s);
}

TEST(tau_is_that_of_what_was_kept)
{
    struct series s;

    assert_true(series_begin(&s));
    for (int i = 0; i < 2; i++) /* each value twice: neighbours are alike */
        for (int k = 0; k < SERIES_ROOM; k++)
            series_add(&s, &value[k / 2], 1);
    assert_near(series_describe(&s).tau, 2, 0.2);
    assert_int_equal(s.n, 2 * SERIES_ROOM);
    /* And is not carried into the next row. */
    series_clear(&s);
    series_add(&s, value, 5000);
    assert_near(series_describe(&s).tau, 1, 0.2);
    series_end(&s);
}

static const struct interval_row {
    const char *name;
    size_t n;
    double p;
    bool known;
} interval_rows[] = {
    { "P99 of 367: none", 367, 0.99, false },
    { "P99 of 2,000", 2000, 0.99, true },
    { "P25 of 100", 100, 0.25, true },
    { "P99.9 of 1,000: none", 1000, 0.999, false },
    { "P99.9 of more than are kept", 2 * SERIES_ROOM, 0.999, true },
    { "P5 of 5: none", 5, 0.05, false },
    { "of nothing", 0, 0.5, false },
};

/* Uniform values between 1 and 2 us: the quantile is known. */
TEST_ROWS(interval_rows, interval_holds_the_quantile)
{
    double low = 0, high = 0;
    struct series s;

    assert_true(series_begin(&s));
    series_add(&s, value, row->n);
    series_describe(&s);
    assert_int_equal(series_interval(&s, row->p, &low, &high), row->known);
    if (row->known) {
        assert_true(low <= 1e-6 * (1 + row->p) && 1e-6 * (1 + row->p) <= high);
        assert_true(low <= series_quantile(&s, row->p));
        assert_true(series_quantile(&s, row->p) <= high);
        assert_true(high - low < 1e-6 * 4 / sqrt((double)row->n));
    }
    series_end(&s);
}
