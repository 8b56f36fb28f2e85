/* SPDX-License-Identifier: BSD-3-Clause */
/* By how much small samples differ: against every choice of ranks, looked at one by
   one by tests/reference/shifts.py. */
#include "unit.h"

#include <math.h>

#include "../reference/shifts.h"
#include "unit_series.h"
#include "verdicts/shift_test.h"

static void near(double got, double expected)
{
    assert_true(fabs(got - expected) <= 1e-12 * (1 + fabs(expected)));
}

static void agrees(const struct shift_reference *r)
{
    struct rank_shift s;

    s = rank_shift_of(r->a, r->na, r->b, r->nb);
    near(s.p, r->p);
    near(s.shift, r->shift);
    assert_int_equal(s.has_interval, r->has_interval);
    near(s.low, r->low);
    near(s.high, r->high);
    near(s.superiority, r->superiority);
    /* The other way round. */
    s = rank_shift_of(r->b, r->nb, r->a, r->na);
    near(s.p, r->p);
    near(s.shift, -r->shift);
    near(s.low, -r->high);
    near(s.high, -r->low);
    near(s.superiority, 1 - r->superiority);
}

TEST(small_samples_agree)
{
    for (size_t i = 0; i < LENGTH(shift_references); i++)
        agrees(&shift_references[i]);
}

/* 4000 pairs of samples that differ by a shift: how often is it in the interval, and
   how often is there a difference where none is? */
TEST(intervals_hold_as_often_as_they_say)
{
    enum { PAIRS = 4000, N = 8 };
    int held = 0, alarms = 0;

    unit_state = 42;
    for (int i = 0; i < PAIRS; i++) {
        double a[N], b[N];
        struct rank_shift s;

        for (int k = 0; k < N; k++) {
            a[k] = -log(1 - unit_uniform());
            b[k] = -log(1 - unit_uniform());
        }
        s = rank_shift_of(a, N, b, N);
        alarms += s.p <= 0.05;
        held += s.low <= 0 && s.high >= 0;
    }
    assert_in_range(alarms, PAIRS * 3 / 100, PAIRS * 55 / 1000);
    assert_in_range(held, PAIRS * 945 / 1000, PAIRS * 97 / 100);
}

/* Where the exact distribution ends, nothing jumps. */
TEST(many_values_by_the_normal_distribution)
{
    double a[40], b[40], p[2];

    for (int n = 30; n <= 31; n++) {
        struct rank_shift s;

        for (int k = 0; k < n; k++) {
            a[k] = k;
            b[k] = k + 4.5;
        }
        s = rank_shift_of(a, (size_t)n, b, (size_t)n);
        assert_true(s.has_interval);
        near(s.shift, 4.5);
        p[n - 30] = s.p;
    }
    assert_true(fabs(log(p[0] / p[1])) < 0.15);
}

TEST(holm_adjusts_in_any_order)
{
    double p[] = { 0.04, 0.01, 0.5, 0.005, 0.03 };
    static const double expected[] = { 0.09, 0.04, 0.5, 0.025, 0.09 };

    rank_shift_holm(p, LENGTH(p));
    for (size_t i = 0; i < LENGTH(p); i++)
        near(p[i], expected[i]);
    p[0] = 0.9;
    p[1] = 0.9;
    rank_shift_holm(p, 2);
    near(p[0], 1);
    rank_shift_holm(p, 0);
}
