/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Global time: points and models measured again, simulated ranks whose true time is known,
 * ranks of a node that share a model, and the tree that teaches them.
 */
#include "unit_clocks.h"

/* --- Clock fit ------------------------------------------------------------ */

/* Points, and models of them, measured again: plain arithmetic. */

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
        assert_near(clock_model_global(&m, starts[i] + 1), starts[i] + 1 - 3 - 20e-6,
                    digits + 1e-9);
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
    assert_near(clock_model_bound(&m, m.at - 2), m.bound + 2 * m.slope_error, 1e-15);
}

/* Noise of milliseconds within 20 ms can look like any slope, and says nothing. */
TEST(slopes_have_a_limit)
{
    const struct offset one = around(0, 0, 1e-3), two = around(0.02, 0.9e-3, 1e-3);
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

/* --- Clock model ---------------------------------------------------------- */

/* Global clocks of simulated ranks, whose true time is known: every rank's is
   recovered within the bound that the model itself states.  ALIDADE_LONG=1 adds
   larger jobs. */

enum { SEEDS = 100 };

/* --- Recovering global time ----------------------------------------------- */

static const struct recover_row {
    const char *name;
    int ranks;
} recover_rows[] = {
    { "one rank is the global clock", 1 },      { "2 ranks within their bounds", 2 },
    { "3 ranks within their bounds", 3 },       { "5 ranks within their bounds", 5 },
    { "8 ranks within their bounds", 8 },       { "64 ranks within their bounds", 64 },
    { "1000 ranks within their bounds", 1000 }, { "4096 ranks within their bounds", 4096 },
};

TEST_ROWS(recover_rows, global_time_is_recovered)
{
    static double errors[LENGTH(LEADS)][MOST_RANKS];
    static double bounds[LENGTH(LEADS)][MOST_RANKS];

    if (row->ranks > 1000 && getenv("ALIDADE_LONG") == NULL)
        return; /* half a minute */
    nranks = row->ranks;
    for (int s = 0; s < SEEDS; s++) {
        double done;

        seed((uint64_t)s);
        for (int i = 0; i < nranks; i++)
            oscillate(&ranks[i]);
        done = teach_all();
        for (size_t lead = 0; lead < LENGTH(LEADS); lead++) {
            const double now = done + LEADS[lead];

            for (int i = 0; i < nranks; i++) {
                errors[lead][i] = error_of(&ranks[i], now);
                bounds[lead][i] = bound_of(&ranks[i], now);
                if (errors[lead][i] > bounds[lead][i])
                    fail_msg("seed %d, rank %d, %g s later: error %g us, bound "
                             "%g us",
                             s, i, LEADS[lead], 1e6 * errors[lead][i], 1e6 * bounds[lead][i]);
            }
        }
    }
    for (size_t lead = 0; lead < LENGTH(LEADS); lead++) {
        const double e = median(errors[lead], nranks);
        const double b = median(bounds[lead], nranks);

        printf("# %d ranks, after %g s: median error %.3f us, bound %.3f us, "
               "worst %.3f us, %.3f us\n",
               nranks, LEADS[lead], 1e6 * e, 1e6 * b, 1e6 * errors[lead][nranks - 1],
               1e6 * bounds[lead][nranks - 1]);
        /* Not vacuous: half a round trip a level, and noise; later twice that over
           the way between the two offsets.  The error itself is far smaller. */
        assert_true(bounds[lead][nranks - 1] < 1.5 * (LEAST_DELAY + NOISE) * tree_rounds(nranks) *
                                                       (1 + 2 * LEADS[lead] / BASELINE) +
                                                   1e-8);
        assert_true(errors[lead][nranks - 1] <
                    2e-6 * tree_rounds(nranks) * (1 + LEADS[lead]) + 1e-8);
    }
}

TEST(drift_is_worth_correcting)
{
    double plain = 0, corrected = 0;

    nranks = 8;
    for (int s = 0; s < SEEDS; s++) {
        double later;

        seed((uint64_t)s);
        for (int i = 0; i < nranks; i++)
            oscillate(&ranks[i]);
        later = teach_all() + 10;
        for (int i = 1; i < nranks; i++) {
            corrected = fmax(corrected, error_of(&ranks[i], later));
            ranks[i].model.slope = 0;
            plain = fmax(plain, error_of(&ranks[i], later));
        }
    }
    printf("# 8 ranks, after 10 s: at most %.1f us off, without slopes %.1f "
           "us\n",
           1e6 * corrected, 1e6 * plain);
    assert_true(corrected < plain / 20);
}

/* Routes change, and so do the moods of an oversubscribed machine. */
TEST(a_path_that_turns_widens_the_bound)
{
    struct simulated *const r = &ranks[1];

    for (int s = 0; s < SEEDS; s++) {
        seed((uint64_t)s);
        oscillate(&ranks[0]);
        oscillate(r);
        learn(NULL, &ranks[0], r, 0, true);
        r->asymmetry = -r->asymmetry;
        learn(NULL, &ranks[0], r, BASELINE, false);
        for (size_t lead = 0; lead < LENGTH(LEADS); lead++)
            assert_true(error_of(r, BASELINE + LEADS[lead]) <= bound_of(r, BASELINE + LEADS[lead]));
    }
}

/* Refreshed once a second, the slope learns from an ever longer way. */
TEST(refreshing_keeps_the_error_small)
{
    struct simulated *const r = &ranks[1];

    nranks = 2;
    for (int s = 0; s < SEEDS; s++) {
        double now, first;

        seed((uint64_t)s);
        oscillate(&ranks[0]);
        oscillate(&ranks[1]);
        now = teach_all();
        first = r->model.slope_error;
        for (int i = 0; i < 100; i++) {
            now += 1;
            assert_true(error_of(r, now) <= bound_of(r, now));
            learn(NULL, &ranks[0], r, now, false);
            assert_true(error_of(r, now) <= bound_of(r, now));
            if (i > 10)
                assert_true(r->model.slope_error < 0.5e-6);
        }
        assert_true(r->model.slope_error < first);
    }
}

/* --- Clock share ---------------------------------------------------------- */

/* Ranks of a node that read one oscillator take over their leader's model, and
   those that only look as if they did are found out. */

TEST(sharing_needs_agreement)
{
    const struct clock_model leader = {
        .at = 1, .offset = 2, .slope = 1e-5, .bound = 1e-6, .slope_error = 1e-6
    };
    const struct clock_reference reference = { 1.5e-6, 0 };
    const double there = clock_model_offset(&leader, 3);
    const struct offset near = { 3, there - 0.1e-6, there + 0.5e-6 };
    const struct offset far = { 3, there + 0.1e-6, there + 0.7e-6 };
    struct clock_model m = leader;

    assert_false(clock_model_share(&m, &far, reference));
    assert_memory_equal(&m, &leader, sizeof m);
    assert_true(clock_model_share(&m, &near, reference));
    assert_near(clock_model_offset(&m, 7), clock_model_offset(&leader, 7), 1e-12);
    assert_near(clock_model_bound(&m, 3), 1.8e-6, 1e-12);
}

enum { NODES = 6, LOCALS = 5 };

static void steps_of_nodes(int odd, double odd_offset, double odd_rate)
{
    const int rounds = tree_rounds(NODES) + tree_rounds(LOCALS);

    nranks = NODES * LOCALS;
    for (int i = 0; i < nranks; i++) {
        if (i % LOCALS == 0)
            oscillate(&ranks[i]);
        else
            ranks[i] = ranks[i - 1];
    }
    for (int i = 0; i < nranks; i++)
        ranks[i].shares = i % LOCALS == 0;
    ranks[odd].offset += odd_offset;
    ranks[odd].rate += odd_rate;
    for (int step = 0; step < 5 * rounds; step++) {
        const int round = step % rounds;
        const double now = step / rounds * BASELINE + round * ROUND;

        for (int i = 1; i < nranks; i++) {
            const int node = i / LOCALS, local = i % LOCALS;
            const int teacher = i - local + clock_tree_parent(local);

            if (local == 0 && tree_round(node, NODES) == round)
                learn(NULL, &ranks[clock_tree_parent(node) * LOCALS], &ranks[i], now,
                      step < rounds);
            if (local > 0 && tree_rounds(NODES) + tree_round(local, LOCALS) == round)
                learn(&ranks[i - local], &ranks[teacher], &ranks[i], now, step < rounds);
        }
    }
}

static const struct share_row {
    const char *name;
    int odd; /* rank with a clock of its own, 0: none */
    double offset, rate;
} share_rows[] = {
    { "ranks of a node share their leader's model", 0, 0, 0 },
    { "a rank 5 ms off has a model of its own", 7, 5e-3, 0 },
    { "so has a rank 3 us off and drifting", 9, 3e-6, 10e-6 },
    { "so has one that teaches others", 12, -4, -50e-6 },
};

TEST_ROWS(share_rows, sharing_is_told)
{
    for (int s = 0; s < SEEDS; s++) {
        seed((uint64_t)s);
        steps_of_nodes(row->odd, row->offset, row->rate);
        for (int i = 0; i < nranks; i++) {
            assert_int_equal(ranks[i].shares, row->odd == 0 || i != row->odd);
            for (size_t lead = 0; lead < LENGTH(LEADS); lead++) {
                const double now = 0.3 + LEADS[lead];

                assert_true(error_of(&ranks[i], now) <= bound_of(&ranks[i], now));
            }
        }
    }
}

/* With more ranks than CPUs: every message may take milliseconds, slopes come
   out absurd, and bursts are long.  The bounds still hold, and no rank is taken
   for one that has a clock of its own. */
TEST(slow_messages_deceive_nobody)
{
    slow_messages = true;
    for (int s = 0; s < SEEDS; s++) {
        seed((uint64_t)s);
        steps_of_nodes(0, 0, 0);
        for (int i = 0; i < nranks; i++) {
            assert_true(ranks[i].shares);
            assert_true(error_of(&ranks[i], 1) <= bound_of(&ranks[i], 1));
        }
    }
    slow_messages = false;
}

/* The leader's slope is as wrong as can be, and so is the client's clock: what a
   burst of 20 ms narrows down to still holds the truth. */
TEST(wrong_slopes_do_not_part_ranks)
{
    const struct clock_model wrong = { .slope = CLOCK_DRIFT_LIMIT };
    struct burst b = { 0 };
    const double rate = 1 + 0.9 * CLOCK_DRIFT_LIMIT;
    double truth;

    for (int i = 0; i < 10; i++) {
        /* One direction is quick, the other not, in turn. */
        const double s1 = 2e-3 * i, t = s1 + (i % 2 == 0 ? 0.1e-6 : 4e-6);

        burst_add(&b, clock_model_global(&wrong, s1), rate * t,
                  clock_model_global(&wrong, s1 + 4.1e-6));
    }
    truth = b.offset.at - clock_model_global(&wrong, b.offset.at / rate);
    assert_true(b.offset.low <= truth && truth <= b.offset.high);
}

/* --- Clock tree ----------------------------------------------------------- */

/* Trees of any size: every member is taught once, by one who knows, and nobody does
   two things in one round. */

enum { MEMBERS = 1100 };

TEST(large_trees_do_not_overflow)
{
    assert_int_equal(clock_tree_child(0, INT32_MAX, 0), 1 << 30);
    assert_int_equal(clock_tree_child(0, INT32_MAX, 30), 1);
    assert_int_equal(clock_tree_child(0, INT32_MAX, 31), -1);
    assert_int_equal(clock_tree_child(1 << 30, INT32_MAX, 0), (1 << 30) + (1 << 29));
}

TEST(every_member_is_taught_once)
{
    static int taught[MEMBERS], busy[MEMBERS];

    for (int n = 1; n <= MEMBERS; n++) {
        for (int i = 0; i < n; i++)
            taught[i] = 0;
        for (int i = 0; i < n; i++) {
            /* The last round in which i is at work. */
            busy[i] = i == 0 ? -1 : tree_round(i, n);
            for (int k = 0, child; (child = clock_tree_child(i, n, k)) >= 0; k++) {
                const int round = tree_round(child, n);

                assert_true(i < child && child < n);
                assert_int_equal(clock_tree_parent(child), i);
                assert_int_equal(clock_tree_depth(child), clock_tree_depth(i) + 1);
                assert_true(busy[i] < round && round < tree_rounds(n));
                busy[i] = round;
                taught[child]++;
            }
        }
        assert_int_equal(clock_tree_parent(0), -1);
        for (int i = 0; i < n; i++)
            assert_int_equal(taught[i], i > 0);
    }
}
