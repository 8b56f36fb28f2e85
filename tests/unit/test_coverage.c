/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Does the 95 % interval of the median hold the truth as often as it says, where there is one?
 *
 * Synthetic lap times: log-normal, the logarithm an AR(1) process with known
 * rho and median 1, so the true median is 1.  Levels that take turns, as threads and
 * roots do, lie evenly about 0 and leave it there.  A thousand series each, with
 * fixed length and with the doubling looks of the sampling engine, which stop
 * when the interval is narrow.  Generator and seeds are fixed: the outcome is
 * the same on every machine with IEEE arithmetic.
 */
#include "unit_series.h"

#include "stats/stats.h"

enum { TRIALS = 1000, MOST = 20000, LONG = 131072, LONG_TRIALS = 40 };

static const double SIGMA = 0.4;

/* So many levels in turn, of deviation 1. */
static double level(size_t i, size_t period)
{
    const double p = (double)period;

    return period > 1
               ? ((double)(i % period) - (p - 1) / 2) / sqrt((p * p - 1) / 12)
               : 0;
}

/* Append lap times to series[from..to-1]; *z carries the process on. */
static void extend(double *series, size_t from, size_t to, double rho,
                   size_t period, double *z)
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
    double least,
        most;      /* share of series whose interval does not miss the truth */
    size_t period; /* levels that take turns; 0: none */
    double given;  /* least share of series that have an interval */
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
    static double series[MOST], sorted[MOST];
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
    } while (row->half_width > 0 && n <= MOST &&
             stats_half_width(&s) > row->half_width);
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
    printf("# %s, %zu samples: %d of %d intervals miss\n", row->name, row->n,
           missed, given);
    if (TRIALS - missed < row->least * TRIALS ||
        TRIALS - missed > row->most * TRIALS || given < row->given * TRIALS)
        fail_msg("%d of %d series have an interval, and %d of them miss", given,
                 TRIALS, missed);
}

/* For an AR(1) series the indicator's correlations are known: the sign of a
   Gaussian process has rho_k = 2/pi asin(rho^k). */
TEST(tau_of_an_ar1_series)
{
    static double series[MOST], sorted[MOST];
    const double rho = 0.9;
    double z = unit_normal(), truth = 1;

    unit_state = 1;
    for (int k = 1; k < 200; k++)
        truth += 2 * 2 / M_PI * asin(pow(rho, k));
    extend(series, 0, MOST, rho, 0, &z);
    const struct stats s = stats_of_series(series, sorted, MOST);
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
    printf("# rho %g: tau %g, of %g; %d of %d\n", rho, sum / LONG_TRIALS, truth,
           held, LONG_TRIALS);
    assert_near(sum / LONG_TRIALS, truth, 0.25 * truth);
    assert_true(held >= LONG_TRIALS * 85 / 100);
}

/* Two regimes of laps about the median, read by a clock of coarse steps: nearly
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
        sum += stats_tau(series, N, 100);
    }
    printf("# ties: tau %g\n", sum / 50);
    /* Of the regimes, which leave by chance once in DWELL laps, 2 DWELL - 1. */
    assert_true(sum / 50 > 0.6 * (2 * DWELL - 1));
}

TEST(tau_of_short_flat_and_alternating_series)
{
    static double flat[100], alternating[100];

    for (int i = 0; i < 100; i++) {
        flat[i] = 1;
        alternating[i] = i % 2;
    }
    assert_near(stats_tau(flat, 0, 0), 1, 0);
    assert_near(stats_tau(flat, 1, 1), 1, 0);
    assert_near(stats_tau(flat, 100, 1), 1, 0);
    assert_near(stats_tau(alternating, 100, 0), 1, 0.1);
}
