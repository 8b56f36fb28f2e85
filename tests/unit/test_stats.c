/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Statistics of samples: known arrays, figures of SciPy, moments and tails, ranks, drift.
 */
#include "unit_series.h"

#include "../reference/figures.h"
#include "../reference/series.h"
#include "base/stats.c"

/* --- Known arrays --------------------------------------------------------- */

enum { FEW = 8 };

/* clang-format off */
static const struct of_row {
    const char *name;
    size_t n;
    double values[FEW];
    double mean, stddev, min, median, max;
    bool has_interval;
    double ci_low, ci_high;
} of_rows[] = {
    { "of no value nothing is known", 0, { 0 }, NAN, NAN, NAN, NAN, NAN },
    { "one value has no deviation", 1, { 7 }, 7, NAN, 7, 7, 7 },
    { "two values: the median is the lower", 2, { 4, 2 }, 3, M_SQRT2, 2, 2, 4 },
    { "three, unsorted", 3, { 9, 1, 2 }, 4, 4.358898943540674, 1, 2, 9 },
    { "four: a median that occurred", 4, { 4, 3, 2, 1 }, 2.5, 1.2909944487358056, 1, 2, 4 },
    { "five: no interval yet", 5, { 5, 4, 3, 2, 1 }, 3, 1.5811388300841898, 1, 3, 5 },
    { "six: the interval is all of them", 6, { 6, 1, 5, 2, 4, 3 }, 3.5, 1.8708286933869707, 1, 3, 6, true, 1, 6 },
    { "seven", 7, { 70, 10, 60, 20, 50, 30, 40 }, 40, 21.602468994692867, 10, 40, 70, true, 10, 70 },
    { "all equal", 6, { 3, 3, 3, 3, 3, 3 }, 3, 0, 3, 3, 3, true, 3, 3 },
    { "ties", 6, { 2, 1, 2, 1, 2, 2 }, 10.0 / 6, 0.5163977794943222, 1, 2, 2, true, 1, 2 },
};
/* clang-format on */

TEST_ROWS(of_rows, of_is)
{
    double values[FEW];
    struct stats s;

    memcpy(values, row->values, sizeof values);
    s = stats_of(values, row->n);
    assert_int_equal(s.n, row->n);
    assert_near(s.mean, row->mean, 1e-12);
    assert_near(s.stddev, row->stddev, 1e-12);
    assert_near(s.min, row->min, 0);
    assert_near(s.median, row->median, 0);
    assert_near(s.max, row->max, 0);
    assert_int_equal(s.has_interval, row->has_interval);
    if (row->has_interval) {
        assert_near(s.ci_low, row->ci_low, 0);
        assert_near(s.ci_high, row->ci_high, 0);
    }
    for (size_t i = 1; i < row->n; i++)
        assert_true(values[i - 1] <= values[i]);
}

/* A quantile of the values 1, 2, ... n is its own rank. */
static const struct quantile_row {
    const char *name;
    size_t n;
    double p, expected;
} quantile_rows[] = {
    { "p 0 is the minimum", 10, 0, 1 },
    { "p 1 is the maximum", 10, 1, 10 },
    { "p 0.9 of 10 is the 9th", 10, 0.9, 9 },
    { "p 0.91 of 10 is the 10th", 10, 0.91, 10 },
    /* 0.07 * 100 is a little more than 7 in binary fractions */
    { "p 0.07 of 100 is the 7th", 100, 0.07, 7 },
    { "p 0.5 of 10 is the 5th", 10, 0.5, 5 },
    { "p 0.99 of 20 is the 20th", 20, 0.99, 20 },
    { "p 0.99 of 100 is the 99th", 100, 0.99, 99 },
    { "p 0.999 of 1000 is the 999th", 1000, 0.999, 999 },
    { "p 0.0011 of 1000 is the second", 1000, 0.0011, 2 },
    { "p 0.5 of 1", 1, 0.5, 1 },
    { "p 0.5 of 2 is the first", 2, 0.5, 1 },
};

TEST_ROWS(quantile_rows, quantile_is)
{
    static double value[1000];

    for (size_t i = 0; i < LENGTH(value); i++)
        value[i] = (double)i + 1;
    assert_near(stats_quantile(value, row->n, row->p), row->expected, 0);
}

/* SciPy's figures are below; here is where intervals begin, and where the normal
   approximation does: from 1001 on, at most one rank wider. */
static const struct ranks_row {
    const char *name;
    size_t n;
    double p;
    bool exists;
    size_t lower, upper;
} ranks_rows[] = {
    { "median: none for 0", 0, 0.5, false },
    { "median: none for 5", 5, 0.5, false },
    { "median of 9", 9, 0.5, true, 2, 8 },
    { "median of 1001", 1001, 0.5, true, 469, 533 },
    { "median of 10000", 10000, 0.5, true, 4902, 5099 },
    { "P10: none for 35", 35, 0.1, false },
    { "P90: none for 35", 35, 0.9, false },
    { "P99: none for 367", 367, 0.99, false },
    { "P99 of 368", 368, 0.99, true, 360, 368 },
    { "P99 of 2000", 2000, 0.99, true, 1971, 1990 },
    { "P99.9: none for 2000", 2000, 0.999, false },
    { "p 0 has none", 1000, 0, false },
    { "p 1 has none", 1000, 1, false },
};

TEST_ROWS(ranks_rows, ranks_are)
{
    size_t lower = 0, upper = 0;

    assert_int_equal(stats_ranks(row->n, row->p, &lower, &upper), row->exists);
    if (row->exists) {
        assert_int_equal(lower, row->lower);
        assert_int_equal(upper, row->upper);
    }
}

/* Ranks 2 and 8 of nine are three from the middle; samples that depend on each other have a
   wider interval, rounded outwards. */
TEST(ranks_are_rounded_outwards)
{
    size_t lower, upper;

    assert_true(stats_ranks_tau(9, 0.5, 1, &lower, &upper));
    assert_true(lower == 2 && upper == 8);
    assert_true(stats_ranks_tau(9, 0.5, 1.5, &lower, &upper));
    assert_true(lower == 1 && upper == 9);
    assert_false(stats_ranks_tau(9, 0.5, 2, &lower, &upper));
}

TEST(quantiles_keep_their_order)
{
    double value[600];

    unit_state = 1;
    for (size_t n = 1; n <= LENGTH(value); n++) {
        double before;
        struct stats s;

        for (size_t i = 0; i < n; i++) /* long tail, many ties */
            value[i] = floor(20 / (unit_uniform() + 1e-3));
        s = stats_of(value, n);
        before = s.min;
        for (int percent = 0; percent <= 100; percent++) {
            const double q = stats_quantile(value, n, percent / 100.0);

            assert_true(before <= q && q <= s.max);
            before = q;
        }
        assert_true(s.min <= s.mean && s.mean <= s.max);
        if (s.has_interval)
            assert_true(s.ci_low <= s.median && s.median <= s.ci_high);
    }
}

/* Coarse clocks and simulations: one value, whose inverse is not exact. */
TEST(equal_samples_are_independent_and_do_not_spread)
{
    static double value[100], sorted[LENGTH(value)];

    for (size_t i = 0; i < LENGTH(value); i++)
        value[i] = 2e-5;
    for (size_t n = 1; n <= LENGTH(value); n++) {
        const struct stats s = stats_of_series(value, sorted, n);

        assert_near(s.tau, 1, 0);
        assert_near(s.mean, 2e-5, 0);
        assert_near(s.stddev, n > 1 ? 0 : NAN, 0);
    }
}

TEST(half_width_takes_the_wider_side)
{
    struct stats s = { .median = 10, .has_interval = true };

    s.ci_low = 9;
    s.ci_high = 13;
    assert_near(stats_half_width(&s), 0.3, 1e-15);
    s.ci_low = 6;
    assert_near(stats_half_width(&s), 0.4, 1e-15);
    s.has_interval = false;
    assert_true(isinf(stats_half_width(&s)));
    s = (struct stats){ .has_interval = true };
    assert_true(isinf(stats_half_width(&s)));
}

/* --- Moments and tails ---------------------------------------------------- */

enum { TAILED = 12, LONG = 10000 };

/* clang-format off */
static const struct outlier_row {
    const char *name;
    size_t n;
    double sorted[TAILED], threshold;
    size_t low, high;
} outlier_rows[] = {
    { "none of none", 0, { 0 }, 3.5, 0, 0 },
    { "none of one", 1, { 5 }, 3.5, 0, 0 },
    { "none where all are equal", 4, { 5, 5, 5, 5 }, 3.5, 0, 0 },
    /* median 5, MAD 2: the limit 3.5 is at 5 + 10.378 */
    { "one above", 8, { 2, 3, 4, 5, 6, 7, 15, 16 }, 3.5, 0, 1 },
    { "one on either side", 7, { -9, 4, 5, 6, 7, 8, 60 }, 3.5, 1, 1 },
    { "at the default it takes more", 7, { -9, 4, 5, 6, 7, 8, 60 }, 14.8, 0, 1 },
    /* MAD 0; the mean distance is 5 / 11: the limit is 3 + 3.5 * 0.5697 */
    { "a coarse clock: the mean distance stands in", 11, { 3, 3, 3, 3, 3, 3, 3, 3, 3, 4, 7 }, 3.5, 0, 1 },
};
/* clang-format on */

TEST_ROWS(outlier_rows, outliers_are)
{
    const struct outliers o = outliers_of(row->sorted, row->n, row->threshold);

    assert_int_equal(o.low, row->low);
    assert_int_equal(o.high, row->high);
    assert_near(o.share, row->n < 3 ? NAN : (double)(row->low + row->high) / (double)row->n, 1e-15);
}

/* Limits for the share of clean samples that are flagged. */
static const struct flagged_row {
    const char *name;
    double sigma, threshold, least, most;
} flagged_rows[] = {
    { "few clean log-normal times at the default", 0.4, OUTLIER_THRESHOLD, 0, 1e-5 },
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
        share += outliers_of(value, LONG, row->threshold).share / 20;
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
    s = stats_of(value, LONG);
    assert_near(s.mean, 1e9 + 0.4375, 0);
    /* The variance of 0, 1, ... 7 is 63 / 12. */
    assert_near(s.stddev, sqrt(63.0 / 12 / 64 * LONG / (LONG - 1.0)), 1e-14);
}

TEST(parts_add_up_to_the_whole)
{
    static double value[LONG];
    struct moments whole = { 0 }, parts = { 0 };

    unit_state = 11;
    for (size_t i = 0; i < LONG; i++)
        value[i] = 1e6 + exp(unit_normal());
    moments_add(&whole, value, LONG);
    for (size_t from = 0, size = 0; from < LONG; from += size, size = size * 2 + 1)
        moments_add(&parts, value + from, from + size < LONG ? size : LONG - from);
    assert_memory_equal(&parts, &whole, sizeof whole);
}

/* --- Ranks and drift ------------------------------------------------------ */

enum { RANKED = 10 };

/* Ties, and samples that are worth fewer; SciPy's figures are below. */
static const struct rank_sum_row {
    const char *name;
    size_t na, nb;
    double a[RANKED], b[RANKED];
    double inflation, u, z, p;
} rank_sum_rows[] = {
    { "one each", 1, 1, { 2 }, { 1 }, 1, 1, 0, 1 },
    { "all equal", 3, 2, { 5, 5, 5 }, { 5, 5 }, 1, 3, 0, 1 },
    /* 25 pairs, variance 25 * 11 / 12, (12.5 - 0.5) / sqrt of it */
    { "apart, downwards, as if a fourth of the samples",
      5,
      5,
      { 1, 2, 3, 4, 5 },
      { 6, 7, 8, 9, 10 },
      4,
      0,
      -2.5067182457620487 / 2,
      0.210075040787 },
    { "ties that balance", 4, 3, { 1, 2, 2, 3 }, { 1, 2, 3 }, 1, 6, 0, 1 },
    /* Ties of 4 and 2: variance 4 * 3 / 12 * (8 - 66 / 42). */
    { "ties", 4, 3, { 2, 2, 3, 3 }, { 1, 2, 2 }, 1, 10, 1.380418616057, 0.167457791607 },
};

TEST_ROWS(rank_sum_rows, rank_sum_is)
{
    const size_t n = row->na + row->nb;
    double ranks[2 * RANKED], sorted[2 * RANKED];
    struct rank_sum r;

    memcpy(ranks, row->a, row->na * sizeof *ranks);
    memcpy(ranks + row->na, row->b, row->nb * sizeof *ranks);
    ranks_of(ranks, n, sorted);
    r = mann_whitney(ranks, row->na, n, row->inflation);
    assert_near(r.u, row->u, 0);
    assert_near(r.z, row->z, 1e-5);
    assert_near(r.p, row->p, 1e-9);
}

TEST(tau_of_few_flat_and_rising)
{
    double ranks[100];

    for (size_t n = 1; n <= LENGTH(ranks); n++) {
        for (size_t i = 0; i < n; i++)
            ranks[i] = (double)i + 1;
        assert_near(ranks_tau(ranks, n), 1, 0);
        for (size_t i = 0; i < n; i++)
            ranks[i] = ((double)n + 1) / 2;
        assert_near(ranks_tau(ranks, n), 1, 0);
    }
}

static double correlated(size_t i, double rho)
{
    static double z;

    if (i == 0)
        z = unit_normal();
    return exp(0.4 * unit_ar1(&z, rho));
}

/* clang-format off */
DRAW(flat, 3)
DRAW(log_normal, exp(0.4 * unit_normal()))
DRAW(exponential, 1 - 0.1 * log(unit_uniform()))
DRAW(coarse, floor(10 * exp(0.2 * unit_normal())))
DRAW(two_modes, (unit_uniform() < 0.5 ? 1 : 1.3) * exp(0.05 * unit_normal()))
DRAW(half_correlated, correlated(i, 0.5))
DRAW(much_correlated, correlated(i, 0.9))
DRAW(very_much_correlated, correlated(i, 0.99))
/* Levels that take turns, and noise that is slower. */
DRAW(in_turn, correlated(i, 0.9) * exp(0.49 * ((double)(i % 3) - 1)))
/* 1 % in all, without noise to speak of: beyond chance, of no interest. */
DRAW(rising_by_1, 1 + 0.01 * at + 1e-5 * unit_uniform())
DRAW(rising_by_5, (1 + 0.05 * at) * exp(0.05 * unit_normal()))
DRAW(doubling, (1 + at) * exp(0.01 * unit_normal()))
DRAW(a_step_in_the_middle, (i < n / 2 ? 1 : 1.05) * exp(0.05 * unit_normal()))
DRAW(slow_warm_up, (1 + 0.5 * exp(-8 * at)) * exp(0.05 * unit_normal()))
/* clang-format on */

static bool drifts(const double *series, size_t n)
{
    return drift_of(series, n).drifts;
}

/* 5 of 200 are the upper 97 % limit of a rate of 1 %. */
static const struct unit_rate drift_rows[] = {
    { "flat: none drifts", flat, 1000, 0, 0 },
    { "log-normal", log_normal, 60, 0, 5 },
    { "log-normal", log_normal, 300, 0, 5 },
    { "log-normal", log_normal, 3000, 0, 5 },
    { "exponential", exponential, 300, 0, 5 },
    { "of a coarse clock", coarse, 300, 0, 5 },
    { "of two modes", two_modes, 300, 0, 5 },
    { "rho 0.5", half_correlated, 100, 0, 8 },
    { "rho 0.5", half_correlated, 1000, 0, 5 },
    { "rho 0.9", much_correlated, 300, 0, 14 },
    { "rho 0.9", much_correlated, 3000, 0, 8 },
    { "period 3, rho 0.9", in_turn, 1000, 0, 5 },
    { "period 3, rho 0.9", in_turn, 3000, 0, 5 },
    /* Most are not judged: a third is worth too few samples. */
    { "rho 0.99", very_much_correlated, 300, 0, 14 },
    { "rising by 1 % for certain", rising_by_1, 1000, 0, 0 },
    { "rising by 5 % in noise of 5 %", rising_by_5, 300, 150, 200 },
    { "rising by 5 % in noise of 5 %", rising_by_5, 1000, 198, 200 },
    { "doubling, with little noise", doubling, 60, 190, 200 },
    { "a step of 5 % in the middle", a_step_in_the_middle, 300, 185, 200 },
    { "slow warm-up", slow_warm_up, 300, 150, 200 },
};

TEST_ROWS(drift_rows, drift_rate_is)
{
    unit_rate_is(row, drifts);
}

TEST(what_is_too_short_is_not_known)
{
    double series[DRIFT_LEAST];
    struct drift d;

    unit_state = 1;
    for (size_t i = 0; i < LENGTH(series); i++)
        series[i] = 1 + (double)i;
    assert_false(drift_of(series, 0).known);
    assert_false(drift_of(series, DRIFT_LEAST - 1).known);
    d = drift_of(series, DRIFT_LEAST);
    assert_true(d.known && d.drifts && d.p < 1e-6 && d.ratio > 1);
    assert_near(d.first, 10, 0);
    assert_near(d.last, 50, 0);
    assert_near(d.ratio, 5, 0);
    assert_near(d.tau, 1, 0);
    for (size_t i = 0; i < LENGTH(series); i++)
        series[i] = -1;
    assert_false(drift_of(series, LENGTH(series)).known);
    /* As long, but of levels that last for five samples each. */
    for (size_t i = 0; i < LENGTH(series); i++)
        series[i] = 1 + (double)(i / 5 % 2) + 1e-3 * (double)(i % 5);
    d = drift_of(series, LENGTH(series));
    assert_true(d.tau > 2 && d.first > 0 && d.last > 0);
    assert_false(d.known);
}

/* --- SciPy ---------------------------------------------------------------- */

/* Statistics of the same series: tests/reference/README.md. */

enum { REFERRED = 1000 };

static double series[REFERRED], sorted[REFERRED];

static void assert_close(double got, double expected, double relative)
{
    assert_near(got, expected, relative * fabs(expected));
}

static void describe_is(const struct figures *f)
{
    const struct stats s = stats_of_series(series, sorted, f->n);
    /* The score at one median distance from the median. */
    const struct outliers limits = outliers_of(sorted, f->n, 0.6745);

    assert_close(s.mean, f->mean, 1e-15);
    assert_close(s.stddev, f->stddev, 1e-12);
    assert_close(s.tau, f->tau, 1e-10);
    assert_near((limits.to - limits.from) / 2, f->mad, 1e-15 * f->mean);
}

static void third_against_third_is(const struct figures *f)
{
    const size_t m = f->n / 3;
    double ranks[REFERRED], room[REFERRED];
    struct rank_sum r;

    memcpy(ranks, series + f->n - m, m * sizeof *ranks);
    memcpy(ranks + m, series, m * sizeof *ranks);
    ranks_of(ranks, 2 * m, room);
    r = mann_whitney(ranks, m, 2 * m, 1);
    assert_near(r.u, f->u, 0);
    assert_close(r.p, f->p, 1e-10);
    assert_true(r.z == 0 || (r.z > 0) == (r.u > (double)(m * m) / 2));
}

TEST_ROWS(figures, figures_agree)
{
    series_make(series, row->n, row->kind, row->seed);
    describe_is(row);
    third_against_third_is(row);
    ranks_of(series, row->n, sorted);
    assert_close(ranks_tau(series, row->n), row->rank_tau, 1e-9);
}

TEST(ranks_agree)
{
    for (size_t i = 0; i < LENGTH(rank_figures); i++) {
        const struct rank_figures *f = &rank_figures[i];
        size_t lower = 0, upper = 0;
        const bool exists = stats_ranks(f->n, f->p, &lower, &upper);

        if (exists != f->exists || (exists && (lower != f->lower || upper != f->upper)))
            fail_msg("n %zu, p %g: %zu to %zu, not %zu to %zu", f->n, f->p, lower, upper, f->lower,
                     f->upper);
    }
}
