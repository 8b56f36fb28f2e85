/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples as they come: kept or counted, and whether the interval of the median holds.
 */
#include "unit_series.h"

#include "base/stats.c"

/* --- Series --------------------------------------------------------------- */

/* Samples kept one by one, then counted: nothing is lost at the border. */

enum { MOST = 3 * SERIES_ROOM };

static double uniform[MOST], in_order[MOST];

/* Values between 1 and 2 us, in no order, all different. */
BEFORE_TESTS
{
    unit_state = 1u;
    for (int i = 0; i < MOST; i++)
        uniform[i] = 1e-6 * (1 + unit_uniform());
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

static struct series begun(void)
{
    static double room[SERIES_BYTES / sizeof(double)];
    struct series s;

    memset(room, 0, sizeof room);
    series_begin(&s, room);
    return s;
}

TEST_ROWS(length_rows, series_is_what_was_added)
{
    const bool exact = row->n <= SERIES_ROOM;
    const double within = exact ? 0 : 1e-3; /* relative */
    struct series s;
    struct stats got, all;

    s = begun();
    series_add(&s, uniform, 100); /* values of an earlier row */
    series_clear(&s);
    for (size_t i = 0; i < row->n; i += row->at_once)
        series_add(&s, uniform + i, row->n - i < row->at_once ? row->n - i : row->at_once);
    got = series_describe(&s);
    memcpy(in_order, uniform, row->n * sizeof *in_order);
    all = stats_of(in_order, row->n);
    assert_int_equal(got.n, row->n);
    assert_int_equal(s.kept, exact ? row->n : SERIES_ROOM);
    assert_near(got.mean, all.mean, 1e-12 * all.mean);
    assert_near(got.stddev, all.stddev, 1e-9 * all.stddev);
    assert_near(got.min, all.min, 0);
    assert_near(got.max, all.max, 0);
    assert_near(got.median, all.median, within * all.median);
    assert_int_equal(got.has_interval, all.has_interval);
    for (double p = 0; row->n > 0 && p <= 1; p += 0.125)
        assert_near(series_quantile(&s, p), stats_quantile(in_order, row->n, p), within * 2e-6);
    /* Independent values: the interval is not much wider than it must be. */
    if (got.has_interval && row->n > 100)
        assert_near(got.ci_high - got.ci_low, all.ci_high - all.ci_low,
                    0.5 * (all.ci_high - all.ci_low) + within * 2e-6);
}

/* Half a step of the clock on each side, and no time is below 0; kept or counted. */
TEST(intervals_are_no_narrower_than_the_clock_tells)
{
    static const double slack[] = { 1e-9, 1 };
    static const size_t n[] = { 1000, 2 * SERIES_ROOM };

    for (size_t k = 0; k < LENGTH(n); k++)
        for (size_t i = 0; i < LENGTH(slack); i++) {
            double low[2], high[2];
            struct series s;
            struct stats without, with;

            s = begun();
            for (size_t done = 0; done < n[k]; done += 1000)
                series_add(&s, uniform + done, 1000);
            without = series_describe(&s);
            assert_true(series_interval(&s, 0.9, &low[0], &high[0]));
            s.slack = slack[i];
            with = series_describe(&s);
            assert_true(series_interval(&s, 0.9, &low[1], &high[1]));
            assert_near(with.ci_low, fmax(0, without.ci_low - slack[i]), 1e-15);
            assert_near(with.ci_high, without.ci_high + slack[i], 1e-15);
            assert_near(low[1], fmax(0, low[0] - slack[i]), 1e-15);
            assert_near(high[1], high[0] + slack[i], 1e-15);
        }
}

TEST(tau_is_that_of_what_was_kept)
{
    struct series s;

    s = begun();
    for (int i = 0; i < 2; i++) /* each uniform twice: neighbours are alike */
        for (int k = 0; k < SERIES_ROOM; k++)
            series_add(&s, &uniform[k / 2], 1);
    assert_near(series_describe(&s).tau, 2, 0.2);
    assert_int_equal(s.n, 2 * SERIES_ROOM);
    /* And is not carried into the next row. */
    series_clear(&s);
    series_add(&s, uniform, 5000);
    assert_near(series_describe(&s).tau, 1, 0.2);
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

    s = begun();
    series_add(&s, uniform, row->n);
    series_describe(&s);
    assert_int_equal(series_interval(&s, row->p, &low, &high), row->known);
    if (row->known) {
        assert_true(low <= 1e-6 * (1 + row->p) && 1e-6 * (1 + row->p) <= high);
        assert_true(low <= series_quantile(&s, row->p));
        assert_true(series_quantile(&s, row->p) <= high);
        assert_true(high - low < 1e-6 * 4 / sqrt((double)row->n));
    }
}

/* --- Histogram ------------------------------------------------------------ */

/* Histograms against the sorted samples that they stand for. */

enum { COUNTED = 20000 };

/* The promise of the header, and one rounding. */
static const double WITHIN = 1.0 / 2048 + 1e-15;

static double drawn[COUNTED], ordered[COUNTED];

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
    struct series s = begun();
    struct histogram *const h = &s.histogram;
    uint64_t all = 0;

    histogram_add_many(h, &row->seconds, 1);
    assert_int_equal(h->count[row->counter], 1);
    for (size_t i = 0; i < HISTOGRAM_COUNTERS; i++)
        all += h->count[i];
    assert_int_equal(all, 1);
    assert_int_equal(h->moments.n, 1);
    assert_near(histogram_quantile(h, 0.5), row->seconds, 0);
    s.n = 1; /* that histogram has */
    series_clear(&s);
    assert_int_equal(h->count[row->counter] + h->moments.n, 0);
}

/* A hundredth each beyond the bins, below and above. */
static double outside(double u)
{
    return u < 0.01 ? -u : u > 0.99 ? 2000 + u : u;
}

/* clang-format off */
DRAW(micro, 1e-6 * exp(unit_normal()))
/* Of all lengths that have a bin. */
DRAW(any_length, exp2(HISTOGRAM_FIRST + (HISTOGRAM_LAST - HISTOGRAM_FIRST) * unit_uniform()))
DRAW(ticks, 41e-9 * floor(5 + 5 * unit_uniform()))
DRAW(alone, 0.31e-6)
DRAW(beyond, outside(unit_uniform()))
/* clang-format on */

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
    struct stats s = stats_of(ordered, h->moments.n);
    size_t lower, upper;

    assert_int_equal(got.n, s.n);
    assert_near(got.mean, s.mean, 1e-12 * fabs(s.mean));
    assert_near(got.stddev, s.stddev, 1e-12 * s.stddev);
    assert_near(got.min, s.min, 0);
    assert_near(got.max, s.max, 0);
    assert_near(got.tau, tau, 0);
    assert_stands_for(got.median, s.median);
    assert_int_equal(got.has_interval, stats_ranks_tau(s.n, 0.5, tau, &lower, &upper));
    if (!got.has_interval)
        return;
    assert_true(got.ci_low <= ordered[lower - 1]);
    assert_true(got.ci_high >= ordered[upper - 1]);
    assert_near(got.ci_low, ordered[lower - 1], 2 * WITHIN * ordered[lower - 1]);
    assert_near(got.ci_high, ordered[upper - 1], 2 * WITHIN * ordered[upper - 1]);
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
    { "blocks of many", micro, COUNTED, 1 },
    { "correlated ones", micro, 1000, 4 },
    { "all lengths", any_length, COUNTED, 1 },
    { "readings of a coarse clock", ticks, 1000, 1 },
    { "all equal", alone, 1000, 1 },
    { "some beyond the bins", beyond, COUNTED, 1 },
};

TEST_ROWS(stands_rows, histogram_stands_for_samples)
{
    struct histogram h = begun().histogram;
    double before;

    unit_state = 7;
    unit_series(drawn, row->n, row->draw);
    histogram_add_many(&h, drawn, row->n);
    memcpy(ordered, drawn, row->n * sizeof *ordered);
    assert_describes(&h, row->tau);
    before = h.moments.min;
    for (int i = 0; i <= 1000; i++) {
        const double q = histogram_quantile(&h, i / 1000.0);

        assert_stands_for(q, stats_quantile(ordered, row->n, i / 1000.0));
        assert_true(before <= q && q <= h.moments.max);
        before = q;
    }
}

TEST(nothing_gives_zeros)
{
    struct histogram h = begun().histogram;
    struct stats s;

    assert_true(HISTOGRAM_COUNTERS * sizeof *h.count <= 512 * 1024);
    histogram_add_many(&h, NULL, 0);
    s = histogram_stats(&h, 1);
    assert_int_equal(s.n, 0);
    assert_near(s.mean, 0, 0);
    assert_near(s.median, 0, 0);
    assert_false(s.has_interval);
}

/* --- Coverage ------------------------------------------------------------- */

/* Does the 95 % interval of the median hold the truth as often as it says, where
   there is one?  Synthetic iteration times: log-normal, the logarithm an AR(1) process
   with known rho and median 1, so the true median is 1.  Levels that take turns, as
   threads and roots do, lie evenly about 0 and leave it there.  A thousand series
   each, with fixed length and with the doubling looks of the sampling engine, which
   stop when the interval is narrow.  Generator and seeds are fixed: the outcome is
   the same on every machine with IEEE arithmetic. */

enum { TRIALS = 1000, LONGEST = 20000, LONG = 131072, LONG_TRIALS = 40 };

static const double SIGMA = 0.4;

/* So many levels in turn, of deviation 1. */
static double level(size_t i, size_t period)
{
    const double p = (double)period;

    return period > 1 ? ((double)(i % period) - (p - 1) / 2) / sqrt((p * p - 1) / 12) : 0;
}

/* Append iteration times to series[from..to-1]; *z carries the process on. */
static void extend(double *series, size_t from, size_t to, double rho, size_t period, double *z)
{
    for (size_t i = from; i < to; i++)
        series[i] = exp(SIGMA * (unit_ar1(z, rho) + level(i, period)));
}

static bool misses(const struct stats *s)
{
    return s->has_interval && !(s->ci_low <= 1 && s->ci_high >= 1);
}

static const struct coverage_row {
    const char *name;
    double rho;
    size_t n;          /* samples of the first look, or of all */
    double half_width; /* half-width at which to stop; 0: one look */
    bool corrected;
    double least, most; /* share of series whose interval does not miss the truth */
    size_t period;      /* levels that take turns; 0: none */
    double given;       /* least share of series that have an interval */
} coverage_rows[] = {
    { "rho 0, fixed", 0, 300, 0, true, 0.93, 0.98, 0, 1 },
    { "rho 0.5, fixed", 0.5, 300, 0, true, 0.93, 0.975, 0, 1 },
    { "rho 0.9, fixed", 0.9, 1200, 0, true, 0.92, 0.975, 0, 1 },
    { "rho 0, adaptive", 0, 50, 0.05, true, 0.93, 0.975, 0, 1 },
    { "rho 0.5, adaptive", 0.5, 50, 0.05, true, 0.93, 0.975, 0, 1 },
    { "rho 0.9, adaptive", 0.9, 50, 0.05, true, 0.92, 0.975, 0, 1 },
    /* Worth two or three samples to eleven: most have no interval. */
    { "rho 0.98, short", 0.98, 200, 0, true, 0.96, 1, 0, 0.05 },
    { "rho 0.98, short", 0.98, 500, 0, true, 0.96, 0.99, 0, 0.25 },
    { "period 3, rho 0.98, short", 0.98, 200, 0, true, 0.88, 0.98, 3, 0.35 },
    { "period 4, rho 0.98, short", 0.98, 200, 0, true, 0.88, 0.98, 4, 0.3 },
    { "period 3, rho 0.98", 0.98, 500, 0, true, 0.945, 0.98, 3, 0.5 },
    { "period 4, rho 0.98", 0.98, 500, 0, true, 0.945, 0.98, 4, 0.5 },
    { "period 7, rho 0.98", 0.98, 500, 0, true, 0.93, 0.98, 7, 0.6 },
    { "period 3, rho 0.9", 0.9, 200, 0, true, 0.93, 0.98, 3, 0.8 },
    { "period 3, rho 0.9", 0.9, 1000, 0, true, 0.93, 0.98, 3, 1 },
    { "period 3, rho 0.98", 0.98, 1000, 0, true, 0.93, 0.98, 3, 0.8 },
    { "period 3, rho 0.98", 0.98, 2000, 0, true, 0.93, 0.98, 3, 0.99 },
    { "period 4, rho 0.9", 0.9, 500, 0, true, 0.93, 0.98, 4, 0.99 },
    { "period 4, rho 0.98", 0.98, 2000, 0, true, 0.93, 0.98, 4, 0.99 },
    { "period 7, rho 0.9", 0.9, 1000, 0, true, 0.93, 0.98, 7, 1 },
    /* Without the correction the result is wrong: this test can fail. */
    { "rho 0.5, as if independent", 0.5, 300, 0, false, 0.75, 0.88, 0, 1 },
    { "rho 0.9, as if independent", 0.9, 300, 0, false, 0.35, 0.55, 0, 1 },
};

static struct stats trial(const struct coverage_row *row)
{
    static double series[LONGEST], sorted[LONGEST];
    double z = unit_normal();
    struct stats s;
    size_t have = 0, n = row->n;

    do {
        extend(series, have, n, row->rho, row->period, &z);
        have = n;
        if (row->corrected) {
            s = stats_of_series(series, sorted, n);
        } else {
            memcpy(sorted, series, n * sizeof *sorted);
            s = stats_of(sorted, n);
        }
        n *= 2;
    } while (row->half_width > 0 && n <= LONGEST && stats_half_width(&s) > row->half_width);
    return s;
}

TEST_ROWS(coverage_rows, coverage_is)
{
    int given = 0, missed = 0;

    unit_state = 0x9e3779b97f4a7c15u;
    for (int i = 0; i < TRIALS; i++) {
        const struct stats s = trial(row);

        given += s.has_interval;
        missed += misses(&s);
    }
    printf("# %s, %zu samples: %d of %d intervals miss\n", row->name, row->n, missed, given);
    if (TRIALS - missed < row->least * TRIALS || TRIALS - missed > row->most * TRIALS ||
        given < row->given * TRIALS)
        fail_msg("%d of %d series have an interval, and %d of them miss", given, TRIALS, missed);
}

/* For an AR(1) series the indicator's correlations are known: the sign of a
   Gaussian process has rho_k = 2/pi asin(rho^k). */
TEST(tau_of_an_ar1_series)
{
    static double series[LONGEST], sorted[LONGEST];
    const double rho = 0.9;
    double z = unit_normal(), truth = 1;

    unit_state = 1;
    for (int k = 1; k < 200; k++)
        truth += 2 * 2 / M_PI * asin(pow(rho, k));
    extend(series, 0, LONGEST, rho, 0, &z);
    const struct stats s = stats_of_series(series, sorted, LONGEST);
    assert_near(s.tau, truth, 0.15 * truth);
}

/* So many samples that not every lag is looked at, and most of what they have in
   common lies at lags that are not. */
TEST(tau_of_a_series_that_remembers_long)
{
    static double series[LONG], sorted[LONG];
    const double rho = 0.998;
    double truth = 1, sum = 0;
    int held = 0;

    unit_state = 7;
    for (int k = 1; k < 20000; k++)
        truth += 2 * 2 / M_PI * asin(pow(rho, k));
    for (int i = 0; i < LONG_TRIALS; i++) {
        double z = unit_normal();

        extend(series, 0, LONG, rho, 0, &z);
        const struct stats s = stats_of_series(series, sorted, LONG);
        sum += s.tau;
        held += s.has_interval && !misses(&s);
    }
    printf("# rho %g: tau %g, of %g; %d of %d\n", rho, sum / LONG_TRIALS, truth, held, LONG_TRIALS);
    assert_near(sum / LONG_TRIALS, truth, 0.25 * truth);
    assert_true(held >= LONG_TRIALS * 85 / 100);
}

/* Two regimes of iterations about the median, read by a clock of coarse steps: nearly
   half of the samples equal the median, and what they have in common shows below
   it only. */
TEST(tau_where_many_samples_equal_the_median)
{
    enum { N = 2000, DWELL = 50 };
    static double series[N];
    bool quick = false;
    double sum = 0;

    unit_state = 3;
    for (int t = 0; t < 50; t++) {
        for (int i = 0; i < N; i++) {
            if (unit_uniform() < 1.0 / DWELL)
                quick = unit_uniform() < 0.45;
            series[i] = quick ? 80 : 100 + 2 * (double)(unit_uniform() < 0.1);
        }
        sum += tau_about(series, N, 100);
    }
    printf("# ties: tau %g\n", sum / 50);
    /* Of the regimes, which leave by chance once in DWELL iterations, 2 DWELL - 1. */
    assert_true(sum / 50 > 0.6 * (2 * DWELL - 1));
}

TEST(tau_of_short_flat_and_alternating_series)
{
    static double flat[100], alternating[100];

    for (int i = 0; i < 100; i++) {
        flat[i] = 1;
        alternating[i] = i % 2;
    }
    assert_near(tau_about(flat, 0, 0), 1, 0);
    assert_near(tau_about(flat, 1, 1), 1, 0);
    assert_near(tau_about(flat, 100, 1), 1, 0);
    assert_near(tau_about(alternating, 100, 0), 1, 0.1);
}
