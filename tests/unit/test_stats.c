/* SPDX-License-Identifier: BSD-3-Clause */
/* Statistics of known arrays; rank intervals against the published table and
   against the exact binomial distribution in rational arithmetic. */
#include "unit.h"

#include "stats/stats.h"

enum { MOST = 8 };

static const struct of_row {
    const char *name;
    size_t n;
    double values[MOST];
    double mean, stddev, min, median, max;
    bool has_interval;
    double ci_low, ci_high;
} of_rows[] = {
    { "no value gives zeros", 0 },
    { "one value", 1, { 7 }, 7, 0, 7, 7, 7 },
    { "two values: the median is the lower", 2, { 4, 2 }, 3, M_SQRT2, 2, 2, 4 },
    { "three, unsorted", 3, { 9, 1, 2 }, 4, 4.358898943540674, 1, 2, 9 },
    { "four: a median that occurred",
      4,
      { 4, 3, 2, 1 },
      2.5,
      1.2909944487358056,
      1,
      2,
      4 },
    { "five: no interval yet",
      5,
      { 5, 4, 3, 2, 1 },
      3,
      1.5811388300841898,
      1,
      3,
      5 },
    { "six: the interval is all of them",
      6,
      { 6, 1, 5, 2, 4, 3 },
      3.5,
      1.8708286933869707,
      1,
      3,
      6,
      true,
      1,
      6 },
    { "seven",
      7,
      { 70, 10, 60, 20, 50, 30, 40 },
      40,
      21.602468994692867,
      10,
      40,
      70,
      true,
      10,
      70 },
    { "all equal", 6, { 3, 3, 3, 3, 3, 3 }, 3, 0, 3, 3, 3, true, 3, 3 },
    { "ties",
      6,
      { 2, 1, 2, 1, 2, 2 },
      10.0 / 6,
      0.5163977794943222,
      1,
      2,
      2,
      true,
      1,
      2 },
};

TEST_ROWS(of_rows, of_is)
{
    double values[MOST];
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

static const struct ranks_row {
    const char *name;
    size_t n;
    double p;
    bool exists;
    size_t lower, upper;
} ranks_rows[] = {
    { "median: none for 0", 0, 0.5, false },
    { "median: none for 5", 5, 0.5, false },
    { "median of 6", 6, 0.5, true, 1, 6 },
    { "median of 9", 9, 0.5, true, 2, 8 },
    { "median of 10", 10, 0.5, true, 2, 9 },
    { "median of 20", 20, 0.5, true, 6, 15 },
    { "median of 50", 50, 0.5, true, 18, 33 },
    { "median of 100", 100, 0.5, true, 40, 61 },
    { "median of 500", 500, 0.5, true, 228, 273 },
    { "median of 1000", 1000, 0.5, true, 469, 532 },
    /* From here on the normal approximation is used, at most one rank wider. */
    { "median of 1001", 1001, 0.5, true, 469, 533 },
    { "median of 2000", 2000, 0.5, true, 956, 1045 },
    { "median of 10000", 10000, 0.5, true, 4902, 5099 },
    { "P10: none for 35", 35, 0.1, false },
    { "P10 of 36", 36, 0.1, true, 1, 8 },
    { "P90: none for 35", 35, 0.9, false },
    { "P90 of 36", 36, 0.9, true, 29, 36 },
    { "P99: none for 367", 367, 0.99, false },
    { "P99 of 1000", 1000, 0.99, true, 983, 997 },
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

static uint64_t random_bits = 1;

static double next_random(void)
{
    random_bits = random_bits * 6364136223846793005u + 1442695040888963407u;
    return (double)(random_bits >> 33) / 2147483648.0;
}

TEST(quantiles_keep_their_order)
{
    double value[600];

    for (size_t n = 1; n <= LENGTH(value); n++) {
        double before;
        struct stats s;

        for (size_t i = 0; i < n; i++) /* long tail, many ties */
            value[i] = floor(20 / (next_random() + 1e-3));
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

/* A naive sum of squares loses every digit of this deviation. */
TEST(flat_series_keep_their_deviation)
{
    static double value[1000];
    struct stats s;

    for (size_t i = 0; i < LENGTH(value); i++)
        value[i] = 1e9 + (i % 2 == 0 ? 0.25 : -0.25);
    s = stats_of(value, LENGTH(value));
    assert_near(s.mean, 1e9, 1e-6);
    assert_near(s.stddev, 0.25 * sqrt(1000.0 / 999.0), 1e-6);
}

/* Coarse clocks and simulations: one value, whose inverse is not exact. */
TEST(equal_samples_are_independent)
{
    static double value[100], sorted[LENGTH(value)];

    for (size_t i = 0; i < LENGTH(value); i++)
        value[i] = 2e-5;
    for (size_t n = 1; n <= LENGTH(value); n++) {
        const struct stats s = stats_of_series(value, sorted, n);

        assert_near(s.tau, 1, 0);
        assert_near(s.stddev, 0, 0);
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

/* As in printed tables; the last by the expansion of Cornish and Fisher. */
TEST(t_is_that_of_the_tables)
{
    static const struct {
        double tail, t;
        size_t freedom;
    } row[] = { { 0.025, 12.706204736, 1 }, { 0.025, 4.3026527297, 2 },
                { 0.025, 2.3646242516, 7 }, { 0.025, 2.0422724563, 30 },
                { 0.005, 3.3553873313, 8 }, { 0.25, 0.7175581961, 6 },
                { 0.1, 1.2819750, 2000 } };

    for (size_t i = 0; i < LENGTH(row); i++)
        assert_near(stats_student(row[i].tail, row[i].freedom), row[i].t,
                    1e-7 * row[i].t);
}
