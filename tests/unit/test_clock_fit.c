/* SPDX-License-Identifier: BSD-3-Clause */
/* Points, and models of them, measured again: plain arithmetic. */
#include "unit_clocks.h"

static const struct clock_reference ROOT = { 0, 0 };

static struct offset around(double at, double middle, double half)
{
    return (struct offset){ at, middle - half, middle + half };
}

TEST(an_exchange_bounds_the_offset)
{
    struct burst b = { 0 };

    burst_add(&b, 10, 15, 12);
    assert_near(b.offset.at, 15, 0);
    assert_near(b.offset.low, 3, 1.1 * CLOCK_STEP);
    assert_near(b.offset.high, 5, 1.1 * CLOCK_STEP);
    assert_near(offset_middle(&b.offset), 4, 1e-15);
    assert_near(offset_half(&b.offset), 1, 1.1 * CLOCK_STEP);
}

TEST(exchanges_narrow_each_other)
{
    struct burst b = { 0 };

    burst_add(&b, 1, 1 + 4e-6, 1 + 8e-6);
    /* The clocks may have drifted by 4 us in these 10 ms. */
    burst_add(&b, 1.01, 1.01 + 9e-6, 1.01 + 8e-6);
    assert_near(b.offset.at, 1 + 4e-6, 1e-15);
    assert_near(b.offset.low, -3e-6, 4 * CLOCK_STEP);
    assert_near(b.offset.high, 4e-6, 2 * CLOCK_STEP);
    /* A contradiction: a clock stepped. */
    burst_add(&b, 1.01, 2.01, 1.01 + 9e-6);
    assert_near(b.offset.high, 4e-6, 2 * CLOCK_STEP);
}

/* Exchanges until a burst has enough, of the same round trip. */
static int exchanges(double round_trip)
{
    struct burst b = { 0 };
    double now = 5;

    while (burst_goes_on(&b)) {
        burst_add(&b, now, now + round_trip / 2, now + round_trip);
        now += round_trip;
    }
    return b.n;
}

TEST(bursts_end)
{
    assert_int_equal(exchanges(2e-6), BURST_MOST);
    assert_int_equal(exchanges(8e-3), 3);
    /* Of a clock that stands still. */
    assert_int_equal(exchanges(0), BURST_MOST);
}

TEST(the_best_of_a_burst_counts)
{
    struct burst b = { 0 };

    burst_add(&b, 1, 1 + 5e-3, 1 + 6e-3);
    burst_add(&b, 1.01, 1.01 + 1e-6, 1.01 + 2e-6);
    burst_add(&b, 1.02, 1.02 + 1e-3, 1.02 + 6e-3);
    assert_near(b.offset.at, 1.01 + 1e-6, 1e-15);
    assert_near(offset_middle(&b.offset), 0, 1e-12);
    assert_near(offset_half(&b.offset), 1e-6 + CLOCK_STEP, 1e-12);
    assert_near(b.best, 2e-6, 1e-12);
}

/* Whatever the clocks show when a job begins. */
TEST(lines_are_recovered)
{
    static const double starts[] = { 0, 1, 1e5 };

    for (size_t i = 0; i < LENGTH(starts); i++) {
        const double digits = 1e-9 * fmax(1, starts[i] / 1e2);
        const struct offset one = around(starts[i], 3, 1e-6);
        const struct offset two = around(starts[i] + 0.02, 3 + 0.4e-6, 1e-6);
        struct clock_model m = clock_model_of(&one, ROOT);

        assert_near(m.slope, 0, 0);
        assert_near(m.slope_error, CLOCK_DRIFT_LIMIT, 0);
        clock_model_anchor(&m, &two, ROOT);
        assert_near(m.slope, 20e-6, digits);
        assert_near(m.slope_error, 100e-6, 1e-6);
        assert_near(m.bound, 1e-6, 1e-9);
        assert_near(clock_model_global(&m, starts[i] + 1),
                    starts[i] + 1 - 3 - 20e-6, digits + 1e-9);
    }
}

TEST(references_add_their_bounds)
{
    const struct clock_reference reference = { 3e-6, 0 };
    const struct offset one = around(1, 0, 1e-6), two = around(2, 0, 1e-6);
    struct clock_model m = clock_model_of(&one, reference);

    assert_near(m.bound, 4e-6, 1e-12);
    clock_model_anchor(&m, &two, reference);
    assert_near(m.bound, 4e-6, 1e-12);
    assert_near(m.slope_error, 8e-6 + CLOCK_WANDER, 1e-12);
    assert_near(clock_model_bound(&m, m.at - 2), m.bound + 2 * m.slope_error,
                1e-15);
}

/* Noise of milliseconds within 20 ms can look like any slope, and says nothing. */
TEST(slopes_have_a_limit)
{
    const struct offset one = around(0, 0, 1e-3),
                        two = around(0.02, 0.9e-3, 1e-3);
    struct clock_model m = clock_model_of(&one, ROOT);

    clock_model_anchor(&m, &two, ROOT);
    assert_near(m.slope, 0, 0);
    assert_near(m.slope_error, CLOCK_DRIFT_LIMIT, 0);
}

TEST(anchors_move_the_intercept)
{
    struct clock_model m = {
        .slope = 10e-6, .bound = 1e-6, .slope_error = 1e-6, .old_bound = 1e-6
    };
    struct offset o = around(5, 53e-6, 2e-6);

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
