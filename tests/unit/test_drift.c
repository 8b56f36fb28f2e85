/* SPDX-License-Identifier: BSD-3-Clause */
/* The rank sum test of known arrays, and how often series that drift and
   series that do not are said to. */
#include "unit.h"
#include "unit_series.h"

#include "stats/drift.h"
#include "stats/rank_test.h"
#include "stats/stats.h"

enum { MOST = 10 };

static const struct rank_sum_row {
    const char *name;
    size_t na, nb;
    double a[MOST], b[MOST];
    double inflation, u, z, p;
} rank_sum_rows[] = {
    { "one each", 1, 1, { 2 }, { 1 }, 1, 1, 0, 1 },
    { "all equal", 3, 2, { 5, 5, 5 }, { 5, 5 }, 1, 3, 0, 1 },
    /* 25 pairs, variance 25 * 11 / 12, (12.5 - 0.5) / sqrt of it */
    { "apart, upwards",
      5,
      5,
      { 6, 7, 8, 9, 10 },
      { 1, 2, 3, 4, 5 },
      1,
      25,
      2.5067182457620487,
      0.012185780355 },
    { "apart, downwards",
      5,
      5,
      { 1, 2, 3, 4, 5 },
      { 6, 7, 8, 9, 10 },
      1,
      0,
      -2.5067182457620487,
      0.012185780355 },
    { "as if a fourth of the samples",
      5,
      5,
      { 6, 7, 8, 9, 10 },
      { 1, 2, 3, 4, 5 },
      4,
      25,
      2.5067182457620487 / 2,
      0.210075040787 },
    /* Age at diagnosis, men and women. */
    { "diabetes (an example of SciPy's manual)",
      5,
      4,
      { 16, 19, 22, 24, 29 },
      { 11, 12, 17, 20 },
      1,
      17,
      1.5921683328,
      0.11134688653 },
    { "ties that balance", 4, 3, { 1, 2, 2, 3 }, { 1, 2, 3 }, 1, 6, 0, 1 },
    /* Ties of 4 and 2: variance 4 * 3 / 12 * (8 - 66 / 42). */
    { "ties",
      4,
      3,
      { 2, 2, 3, 3 },
      { 1, 2, 2 },
      1,
      10,
      1.380418616057,
      0.167457791607 },
};

TEST_ROWS(rank_sum_rows, rank_sum_is)
{
    const size_t n = row->na + row->nb;
    double ranks[2 * MOST], sorted[2 * MOST];
    struct rank_sum r;

    memcpy(ranks, row->a, row->na * sizeof *ranks);
    memcpy(ranks + row->na, row->b, row->nb * sizeof *ranks);
    ranks_of(ranks, n, sorted);
    r = mann_whitney(ranks, row->na, n, row->inflation);
    assert_near(r.u, row->u, 0);
    assert_near(r.z, row->z, 1e-5);
    assert_near(r.p, row->p, 1e-9);
}

TEST(ranks_share_ties)
{
    double series[] = { 30, 10, 20, 20, 50, 20 };
    const double expected[] = { 5, 1, 3, 3, 6, 3 };
    double sorted[LENGTH(series)];

    ranks_of(series, LENGTH(series), sorted);
    for (size_t i = 0; i < LENGTH(series); i++)
        assert_near(series[i], expected[i], 0);
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

/* Spearman's correlation of a Gaussian process: 6 / pi asin(rho^k / 2). */
TEST(tau_of_an_ar1_series)
{
    enum { N = 20000 };
    static double series[N], sorted[N];
    double z = 0, truth = 1;

    unit_state = 1;
    for (size_t i = 0; i < N; i++)
        series[i] = exp(unit_ar1(&z, 0.9));
    for (int k = 1; k < 200; k++)
        truth += 2 * 6 / M_PI * asin(pow(0.9, k) / 2);
    ranks_of(series, N, sorted);
    assert_near(ranks_tau(series, N), truth, 0.15 * truth);
}

static double flat(size_t i, size_t n)
{
    (void)i;
    (void)n;
    return 3;
}

static double log_normal(size_t i, size_t n)
{
    (void)i;
    (void)n;
    return exp(0.4 * unit_normal());
}

static double exponential(size_t i, size_t n)
{
    (void)i;
    (void)n;
    return 1 - 0.1 * log(unit_uniform());
}

static double coarse(size_t i, size_t n)
{
    (void)i;
    (void)n;
    return floor(10 * exp(0.2 * unit_normal()));
}

static double correlated(size_t i, size_t n, double rho)
{
    static double z;

    (void)n;
    if (i == 0)
        z = unit_normal();
    return exp(0.4 * unit_ar1(&z, rho));
}

static double half_correlated(size_t i, size_t n)
{
    return correlated(i, n, 0.5);
}

static double much_correlated(size_t i, size_t n)
{
    return correlated(i, n, 0.9);
}

static double very_much_correlated(size_t i, size_t n)
{
    return correlated(i, n, 0.99);
}

static double two_modes(size_t i, size_t n)
{
    (void)i;
    (void)n;
    return (unit_uniform() < 0.5 ? 1 : 1.3) * exp(0.05 * unit_normal());
}

/* Levels that take turns, and noise that is slower. */
static double in_turn(size_t i, size_t n)
{
    return correlated(i, n, 0.9) * exp(0.49 * ((double)(i % 3) - 1));
}

/* 1 % in all, without noise to speak of: beyond chance, of no interest. */
static double rising_by_1(size_t i, size_t n)
{
    return 1 + 0.01 * (double)i / (double)n + 1e-5 * unit_uniform();
}

static double rising_by_5(size_t i, size_t n)
{
    return (1 + 0.05 * (double)i / (double)n) * exp(0.05 * unit_normal());
}

static double doubling(size_t i, size_t n)
{
    return (1 + (double)i / (double)n) * exp(0.01 * unit_normal());
}

static double a_step_in_the_middle(size_t i, size_t n)
{
    return (i < n / 2 ? 1 : 1.05) * exp(0.05 * unit_normal());
}

static double slow_warm_up(size_t i, size_t n)
{
    return (1 + 0.5 * exp(-8 * (double)i / (double)n)) *
           exp(0.05 * unit_normal());
}

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
    assert_true(d.known && d.drifts && d.p < 1e-6 && d.z > 0);
    assert_near(d.first, 10, 0);
    assert_near(d.last, 50, 0);
    assert_near(d.ratio, 5, 0);
    assert_near(d.tau, 1, 0);
    for (size_t i = 0; i < LENGTH(series); i++)
        series[i] = -1;
    assert_false(drift_of(series, LENGTH(series)).known);
}
