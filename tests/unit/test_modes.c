/* SPDX-License-Identifier: BSD-3-Clause */
/* The dip of known arrays, and how often one mode is taken for two and two are
   found. */
#include "unit.h"
#include "unit_series.h"

#include "dip.h"
#include "modes.h"
#include "stats.h"

enum { MOST = 12 };

static const struct dip_row {
    const char *name;
    size_t n;
    double sorted[MOST], dip;
} dip_rows[] = {
    { "one value: 1 / (2n), as for R", 1, { 3 }, 1.0 / 2 },
    { "all equal", 4, { 3, 3, 3, 3 }, 1.0 / 8 },
    { "evenly spaced", 5, { 1, 2, 3, 4, 5 }, 1.0 / 10 },
    { "two places: nothing dips more", 4, { 0, 0, 1, 1 }, 1.0 / 4 },
    { "two places, unevenly", 5, { 0, 0, 1, 1, 1 }, 1.0 / 5 },
    { "equal values in one place are a mode",
      6,
      { 1, 2, 2, 2, 2, 3 },
      1.0 / 12 },
    /* The convex minorant runs from no value at 0 to 3 at 100, so to 0.06 at
       2, where 3 are counted: 2.94 / (2 * 6). */
    { "three and three", 6, { 0, 1, 2, 100, 101, 102 }, 0.245 },
};

static void dip_is(void **state)
{
    const struct dip_row *row = *state;

    assert_near(dip_of(row->sorted, row->n), row->dip, 1e-12);
}

/* The example of the paper: quality of 63 statistics departments. */
static void dip_of_the_paper(void **state)
{
    const double quality[] = {
        30, 33, 35, 36, 37, 37, 39, 39, 39, 39, 39, 40, 40, 40, 40, 41,
        42, 43, 43, 43, 44, 44, 45, 45, 46, 46, 47, 47, 48, 48, 48, 49,
        50, 50, 51, 52, 52, 53, 53, 53, 53, 53, 54, 54, 57, 57, 59, 60,
        60, 60, 61, 61, 61, 61, 62, 62, 62, 62, 63, 66, 70, 72, 72,
    };
    const double dip = dip_of(quality, LENGTH(quality));

    (void)state;
    assert_int_equal(LENGTH(quality), 63);
    assert_near(dip, 0.059, 0.001);
    /* "a tail probability about 10 %"; R says 0.0867. */
    assert_near(dip_p(dip, 63), 0.0867, 0.005);
}

static void p_is_a_tail_probability(void **state)
{
    (void)state;
    assert_near(dip_p(0.25, 3), 1, 0);
    assert_near(dip_p(0, 100), 1, 0);
    assert_near(dip_p(0.25, 2000), 0.001, 0);
    assert_near(dip_p(0.25, 1e9), 0.001, 0);
    /* The 95 % point for n = 50 in the paper's table: 0.0702 (R: 0.0703). */
    assert_near(dip_p(0.0703, 50), 0.05, 0.003);
    for (double n = 4; n < 5000; n *= 1.3) {
        double before = 1;

        for (double scaled = 0.1; scaled < 1; scaled += 0.001) {
            const double p = dip_p(scaled / sqrt(n), n);

            assert_true(p <= before && p >= 0.001);
            before = p;
        }
    }
}

static void dip_knows_no_unit_and_no_direction(void **state)
{
    enum { N = 101 };
    double value[N], other[N];

    (void)state;
    unit_state = 21;
    for (int trial = 0; trial < 100; trial++) {
        double dip;

        for (size_t i = 0; i < N; i++)
            value[i] = unit_normal() + (i % 3 == 0 ? 3 : 0);
        stats_sort(value, N);
        dip = dip_of(value, N);
        assert_true(dip >= 0.5 / N && dip <= 0.25);
        for (size_t i = 0; i < N; i++)
            other[i] = 5 + 1e-6 * value[i];
        assert_near(dip_of(other, N), dip, 1e-9);
        for (size_t i = 0; i < N; i++)
            other[i] = -value[N - 1 - i];
        assert_near(dip_of(other, N), dip, 1e-12);
    }
}

#define DRAW(name, expression)                                                 \
    static double name(size_t i, size_t n)                                     \
    {                                                                          \
        (void)i;                                                               \
        (void)n;                                                               \
        return expression;                                                     \
    }

static double one_of(double share, double low, double high)
{
    return unit_uniform() < share ? low : high;
}

static double correlated(size_t i, double rho)
{
    static double z;

    if (i == 0)
        z = unit_normal();
    return exp(0.4 * unit_ar1(&z, rho));
}

/* One mode. */
DRAW(flat, 3)
DRAW(log_normal, exp(0.4 * unit_normal()))
DRAW(very_skewed, exp(unit_normal()))
DRAW(exponential, 1 - 0.1 * log(unit_uniform()))
DRAW(uniform, 1 + unit_uniform())
/* No mean: the tail falls as x^-0.9. */
DRAW(heavy_tailed, 1 + 0.1 * (pow(unit_uniform(), -1 / 0.9) - 1))
DRAW(interrupted,
     unit_uniform() < 0.02 ? 5 * exp(unit_normal()) : exp(0.03 * unit_normal()))
DRAW(coarse, 41 * floor(8 * exp(0.15 * unit_normal())))
DRAW(very_coarse, 41 * floor(4 * exp(0.1 * unit_normal())))
/* Ticks of 41.67 ns in whole nanoseconds: steps of 41 and 42. */
DRAW(comb, floor(41.6667 * round(8 * exp(0.15 * unit_normal()))))
DRAW(two_readings, one_of(0.6, 41, 82))
DRAW(near_by, one_of(0.5, 1, 1.03) * exp(0.002 * unit_normal()))

static double very_much_correlated(size_t i, size_t n)
{
    (void)n;
    return correlated(i, 0.99);
}

static double much_correlated(size_t i, size_t n)
{
    (void)n;
    return correlated(i, 0.9);
}

/* Two modes, 30 % apart. */
DRAW(half_and_half, one_of(0.5, 1, 1.3) * exp(0.05 * unit_normal()))
DRAW(mostly_low, one_of(0.8, 1, 1.3) * exp(0.05 * unit_normal()))
DRAW(mostly_high, one_of(0.2, 1, 1.3) * exp(0.05 * unit_normal()))
DRAW(narrow_mostly_low, one_of(0.8, 1, 1.3) * exp(0.02 * unit_normal()))
DRAW(wide, one_of(0.5, 1, 1.3) * exp(0.07 * unit_normal()))
DRAW(coarse_two, 0.01 * floor(one_of(0.6, 31, 44) * exp(0.03 * unit_normal())))
DRAW(two_readings_each, one_of(0.6, 0.31, 0.44) + one_of(0.5, 0, 0.01))
DRAW(with_a_tail, one_of(0.6, 0.31, 0.44) * exp(0.03 * unit_normal()) *
                      (unit_uniform() < 0.02 ? 3 * exp(unit_normal()) : 1))

/* Ten stretches in one mode and ten in the other. */
static double by_turns(size_t i, size_t n)
{
    return (i * 20 / n % 2 == 0 ? 1 : 1.3) * exp(0.05 * unit_normal());
}

static bool has_two(const double *series, size_t n)
{
    double *sorted = malloc(n * sizeof *sorted);
    struct stats s;
    bool two;

    assert_non_null(sorted);
    s = stats_of_series(series, sorted, n);
    two = modes_of(sorted, n, s.tau).two;
    free(sorted);
    return two;
}

/* 5 of 200 are the upper 97 % limit of a rate of 1 %. */
static const struct unit_rate modes_rows[] = {
    { "all equal", flat, 1000, 0, 0 },
    { "log-normal", log_normal, 100, 0, 2 },
    { "log-normal", log_normal, 1000, 0, 2 },
    { "log-normal", log_normal, 5000, 0, 2 },
    { "log-normal, very skewed", very_skewed, 1000, 0, 2 },
    { "exponential", exponential, 1000, 0, 2 },
    { "uniform, which dips most", uniform, 100, 0, 5 },
    { "uniform, which dips most", uniform, 1000, 0, 5 },
    { "uniform, which dips most", uniform, 5000, 0, 5 },
    { "heavy tailed", heavy_tailed, 1000, 0, 2 },
    { "heavy tailed", heavy_tailed, 5000, 0, 2 },
    { "2 % interrupted", interrupted, 1000, 0, 2 },
    { "of a coarse clock", coarse, 1000, 0, 2 },
    { "of a coarse clock", coarse, 5000, 0, 2 },
    { "of a very coarse clock", very_coarse, 1000, 0, 2 },
    { "of a clock that rounds its steps", comb, 1000, 0, 2 },
    { "of a clock that rounds its steps", comb, 5000, 0, 2 },
    { "two readings of a clock", two_readings, 1000, 0, 0 },
    { "two modes that differ by 3 %", near_by, 1000, 0, 0 },
    { "rho 0.9", much_correlated, 300, 0, 2 },
    { "rho 0.9", much_correlated, 3000, 0, 2 },
    { "rho 0.99", very_much_correlated, 300, 0, 2 },
    { "rho 0.99", very_much_correlated, 1000, 0, 2 },
    { "too few", half_and_half, MODES_LEAST - 1, 0, 0 },
    { "50 and 50 %", half_and_half, 100, 160, 200 },
    { "50 and 50 %", half_and_half, 1000, 199, 200 },
    { "50 and 50 %", half_and_half, 5000, 200, 200 },
    { "80 and 20 %", mostly_low, 1000, 180, 200 },
    { "80 and 20 %", mostly_low, 5000, 199, 200 },
    { "20 and 80 %", mostly_high, 1000, 190, 200 },
    { "80 and 20 %, narrow", narrow_mostly_low, 300, 190, 200 },
    { "50 and 50 %, wide", wide, 1000, 190, 200 },
    { "two, of a coarse clock", coarse_two, 300, 195, 200 },
    { "two readings of a clock in each", two_readings_each, 300, 195, 200 },
    { "two with a tail", with_a_tail, 300, 195, 200 },
    { "two by turns", by_turns, 2000, 195, 200 },
};

static void modes_rate_is(void **state)
{
    unit_rate_is(*state, has_two);
}

static void modes_are_where_they_are(void **state)
{
    enum { N = 5000 };
    static double value[N];
    size_t below = 0;
    struct modes modes;

    (void)state;
    unit_state = 4;
    unit_series(value, N, with_a_tail);
    stats_sort(value, N);
    modes = modes_of(value, N, 1);
    assert_true(modes.two);
    assert_near(modes.low, 0.31, 0.005);
    assert_near(modes.high, 0.44, 0.01);
    assert_near(modes.low_share, 0.6, 0.02);
    assert_near(modes.low_share + modes.high_share, 1, 1e-15);
    assert_true(modes.low < modes.split && modes.split < modes.high);
    while (below < N && value[below] <= modes.split)
        below++;
    assert_near(modes.low_share, (double)below / N, 0);
}

static void the_step_of_the_clock_is_found(void **state)
{
    static double value[1000];

    (void)state;
    unit_state = 6;
    unit_series(value, LENGTH(value), coarse);
    stats_sort(value, LENGTH(value));
    assert_near(modes_of(value, LENGTH(value), 1).step, 41, 0);
    unit_series(value, LENGTH(value), comb);
    stats_sort(value, LENGTH(value));
    assert_near(modes_of(value, LENGTH(value), 1).step, 41.5, 0.5);
}

/* No time is zero; a clock that has not moved says so. */
static void a_mode_at_zero_is_no_mode(void **state)
{
    double value[100];

    (void)state;
    for (size_t i = 0; i < LENGTH(value); i++)
        value[i] = i < 50 ? 0 : 10 + (double)(i % 3);
    assert_false(modes_of(value, LENGTH(value), 1).two);
    for (size_t i = 0; i < LENGTH(value); i++)
        value[i] += i % 50 + 100 * (i >= 50) + 1;
    assert_true(modes_of(value, LENGTH(value), 1).two);
}

int main(void)
{
    static struct unit_list list;

    UNIT_ADD_ROWS(&list, dip_rows, dip_is);
    UNIT_ADD(&list, dip_of_the_paper);
    UNIT_ADD(&list, p_is_a_tail_probability);
    UNIT_ADD(&list, dip_knows_no_unit_and_no_direction);
    UNIT_ADD_ROWS(&list, modes_rows, modes_rate_is);
    UNIT_ADD(&list, modes_are_where_they_are);
    UNIT_ADD(&list, the_step_of_the_clock_is_found);
    UNIT_ADD(&list, a_mode_at_zero_is_no_mode);
    return unit_run("modes", &list);
}
