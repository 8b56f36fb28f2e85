/* SPDX-License-Identifier: BSD-3-Clause */
/* Points, lines through them, and models measured again: plain arithmetic. */
#include "unit_clocks.h"

static const struct clock_reference ROOT = { 0, 0, 0 };

static struct offset around(double at, double middle, double half)
{
    return (struct offset){ at, middle - half, middle + half };
}

static void an_exchange_bounds_the_offset(void **state)
{
    const struct offset o = offset_of_exchange(10, 15, 12);

    (void)state;
    assert_near(o.at, 15, 0);
    assert_near(o.low, 3, 1.1 * CLOCK_STEP);
    assert_near(o.high, 5, 1.1 * CLOCK_STEP);
    assert_near(offset_middle(&o), 4, 1e-15);
    assert_near(offset_half(&o), 1, 1.1 * CLOCK_STEP);
}

static void points_narrow_each_other(void **state)
{
    struct offset o = around(1, 0, 4e-6);
    const struct offset later = around(1.01, 5e-6, 4e-6);
    const struct offset other = around(1, 9e-6, 1e-6);

    (void)state;
    assert_true(offset_narrow(&o, &later));
    /* The clocks may have drifted by 4 us in these 10 ms. */
    assert_near(o.low, -3e-6, 1e-15);
    assert_near(o.high, 4e-6, 1e-15);
    assert_near(o.at, 1, 0);
    assert_false(offset_narrow(&o, &other));
    assert_near(o.high, 4e-6, 1e-15);
}

/* Exchanges until a burst has enough, of the same round trip. */
static int exchanges(double known, double limit, double round_trip)
{
    struct burst b = burst_begin(known, limit);
    double now = 5;

    while (burst_goes_on(&b)) {
        burst_add(&b, now, now + round_trip / 2, now + round_trip);
        now += round_trip;
    }
    assert_near(burst_known(&b),
                known > 0 ? fmin(known, round_trip) : round_trip, 1e-12);
    return b.n;
}

static void bursts_end(void **state)
{
    (void)state;
    /* An unknown pair takes all, a known one the fewest, if they are good. */
    assert_int_equal(exchanges(0, 1, 2e-6), BURST_MOST);
    assert_int_equal(exchanges(2e-6, 1, 2e-6), BURST_LEAST);
    assert_int_equal(exchanges(1.9e-6, 1, 2e-6), BURST_LEAST);
    assert_int_equal(exchanges(1.5e-6, 1, 2e-6), BURST_MOST);
    assert_int_equal(exchanges(0, 0.02, 8e-3), 3);
    /* Of a clock that stands still. */
    assert_int_equal(exchanges(0, 0.02, 0), BURST_MOST);
}

static void the_best_of_a_burst_counts(void **state)
{
    struct burst b = burst_begin(0, 1);

    (void)state;
    burst_add(&b, 1, 1 + 5e-3, 1 + 6e-3);
    burst_add(&b, 1.01, 1.01 + 1e-6, 1.01 + 2e-6);
    burst_add(&b, 1.02, 1.02 + 1e-3, 1.02 + 6e-3);
    assert_near(b.offset.at, 1.01 + 1e-6, 1e-15);
    assert_near(offset_middle(&b.offset), 0, 1e-12);
    assert_near(offset_half(&b.offset), 1e-6 + CLOCK_STEP, 1e-12);
    assert_near(b.best, 2e-6, 1e-12);
}

/* Whatever the clocks show when a job begins. */
static void lines_are_recovered(void **state)
{
    static const double starts[] = { 0, 1, 1e5 };

    (void)state;
    for (size_t i = 0; i < LENGTH(starts); i++) {
        const double digits = 1e-9 * fmax(1, starts[i] / 1e2);
        struct clock_fit f = { .n = 0 };
        struct clock_model m;

        for (int j = 0; j < 64; j++) {
            const double t = starts[i] + 0.3e-3 * j;
            const struct offset o =
                around(t, 3 + 20e-6 * (t - starts[i]), 1e-6);

            clock_fit_add(&f, &o);
        }
        m = clock_fit_model(&f, ROOT);
        assert_near(m.slope, 20e-6, digits);
        assert_near(m.bound, 1e-6, 1e-9);
        assert_near(clock_model_global(&m, starts[i] + 1),
                    starts[i] + 1 - 3 - 20e-6, digits + 1e-9);
        assert_true(m.slope_error < 1e-6);
    }
}

static void one_late_point_does_no_harm(void **state)
{
    struct clock_fit f = { .n = 0 };

    (void)state;
    for (int j = 0; j < 20; j++) {
        const struct offset o =
            j == 15 ? around(1e-3 * j, 1e-3, 1e-3) : around(1e-3 * j, 0, 1e-6);

        clock_fit_add(&f, &o);
    }
    assert_near(clock_fit_model(&f, ROOT).slope, 0, 1e-6);
    assert_near(clock_fit_model(&f, ROOT).bound, 1e-6, 2e-9);
}

/* One point, or two, or all at once: bounds from what they allow. */
static void few_points_say_little(void **state)
{
    struct clock_fit f = { .n = 0 };
    const struct offset first = around(1, 0, 1e-6);
    const struct offset second = around(1.1, 1e-6, 1e-6);

    (void)state;
    clock_fit_add(&f, &first);
    assert_near(clock_fit_slope_error(&f), CLOCK_DRIFT_LIMIT, 0);
    clock_fit_add(&f, &first);
    assert_near(clock_fit_slope_error(&f), CLOCK_DRIFT_LIMIT, 0);
    clock_fit_add(&f, &second);
    assert_near(clock_fit_slope_error(&f), 20e-6, 1e-6);
}

/* s sqrt(12) / (T sqrt(n)) for uniform points. */
static void slope_errors_are_as_the_formula_says(void **state)
{
    const double noise = 50e-9, baseline = 0.2;
    struct clock_fit f = { .n = 0 };
    const int n = 4000;

    (void)state;
    seed(1);
    for (int j = 0; j < n; j++) {
        /* Uniform noise of this standard deviation. */
        const double e = noise * sqrt(12) * (uniform() - 0.5);
        const struct offset o = around(baseline * j / n, e, 1e-6);

        clock_fit_add(&f, &o);
    }
    assert_near(clock_fit_slope_error(&f) /
                    (FIT_SIGMAS * noise * sqrt(12) / (baseline * sqrt(n))),
                1, 0.2);
}

static void references_add_their_bounds(void **state)
{
    const struct clock_reference reference = { 3e-6, 2e-6, 0 };
    struct clock_fit f = { .n = 0 };
    const struct offset one = around(1, 0, 1e-6), two = around(2, 0, 1e-6);
    struct clock_model m;

    (void)state;
    clock_fit_add(&f, &one);
    clock_fit_add(&f, &two);
    m = clock_fit_model(&f, reference);
    assert_near(m.bound, 4e-6, 1e-12);
    assert_near(m.slope_error, clock_fit_slope_error(&f) + 2e-6, 1e-12);
    assert_near(clock_model_bound(&m, m.at - 2), m.bound + 2 * m.slope_error,
                1e-15);
}

/* Noise of milliseconds within 20 ms can look like any slope. */
static void slopes_have_a_limit(void **state)
{
    struct clock_fit f = { .n = 0 };
    struct clock_model m;

    (void)state;
    for (int j = 0; j < 20; j++) {
        const struct offset o = around(1e-3 * j, -1e-6 * j, 1e-3);

        clock_fit_add(&f, &o);
    }
    m = clock_fit_model(&f, ROOT);
    assert_near(m.slope, -CLOCK_DRIFT_LIMIT, 0);
    assert_true(m.slope_error <= 2 * CLOCK_DRIFT_LIMIT);
}

static void anchors_move_the_intercept(void **state)
{
    struct clock_model m = {
        .slope = 10e-6, .bound = 1e-6, .slope_error = 1e-6, .old_bound = 1e-6
    };
    struct offset o = around(5, 53e-6, 2e-6);

    (void)state;
    clock_model_anchor(&m, &o, ROOT);
    /* b = o* - a t* */
    assert_near(clock_model_offset(&m, 0), 53e-6 - 5 * m.slope, 1e-12);
    assert_near(clock_model_bound(&m, 5), 2e-6, 1e-12);
    /* (2 + 1) us in 5 s: better than 1e-6. */
    assert_near(m.slope, 53e-6 / 5, 1e-12);
    assert_near(m.slope_error, 3e-6 / 5 + CLOCK_WANDER, 1e-12);
    /* Worse than what is known, and no contradiction. */
    o = around(5.1, 60e-6, 50e-6);
    clock_model_anchor(&m, &o, ROOT);
    assert_near(m.at, 5, 0);
    /* A step of 5 ms, more than drift can explain: believed, and nothing made
       of it for the slope. */
    o = around(5.2, 5e-3, 1e-6);
    clock_model_anchor(&m, &o, ROOT);
    assert_near(clock_model_offset(&m, 5.2), 5e-3, 1e-12);
    assert_near(m.slope, 53e-6 / 5, 1e-12);
    assert_near(m.slope_error, CLOCK_DRIFT_LIMIT + m.slope, 1e-12);
    /* From there on anew. */
    o = around(6.2, 5e-3 + 30e-6, 1e-6);
    clock_model_anchor(&m, &o, ROOT);
    assert_near(m.slope, 30e-6, 1e-9);
    assert_near(m.slope_error, 2e-6 + CLOCK_WANDER, 1e-9);
}

int main(void)
{
    static struct unit_list list;

    UNIT_ADD(&list, an_exchange_bounds_the_offset);
    UNIT_ADD(&list, points_narrow_each_other);
    UNIT_ADD(&list, bursts_end);
    UNIT_ADD(&list, the_best_of_a_burst_counts);
    UNIT_ADD(&list, lines_are_recovered);
    UNIT_ADD(&list, one_late_point_does_no_harm);
    UNIT_ADD(&list, few_points_say_little);
    UNIT_ADD(&list, slope_errors_are_as_the_formula_says);
    UNIT_ADD(&list, references_add_their_bounds);
    UNIT_ADD(&list, slopes_have_a_limit);
    UNIT_ADD(&list, anchors_move_the_intercept);
    return unit_run("clock_fit", &list);
}
