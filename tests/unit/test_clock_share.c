/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks of a node that read one oscillator take over their leader's model, and
   those that only look as if they did are found out. */
#include "unit_clocks.h"

enum { SEEDS = 100 };

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
    assert_near(clock_model_offset(&m, 7), clock_model_offset(&leader, 7),
                1e-12);
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
                learn(NULL, &ranks[clock_tree_parent(node) * LOCALS], &ranks[i],
                      now, step < rounds);
            if (local > 0 &&
                tree_rounds(NODES) + tree_round(local, LOCALS) == round)
                learn(&ranks[i - local], &ranks[teacher], &ranks[i], now,
                      step < rounds);
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

                assert_true(error_of(&ranks[i], now) <=
                            bound_of(&ranks[i], now));
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
