/* SPDX-License-Identifier: BSD-3-Clause */
/* Trees of any size: every member is taught once, by one who knows, and nobody
   does two things in one round. */
#include "unit.h"

#include "timing/clock_tree.h"

enum { MOST = 1100 };

static void rounds_are_the_logarithm(void **state)
{
    static const int expected[] = { 0, 0, 1, 2, 2, 3, 3, 3, 3, 4 };

    (void)state;
    for (int n = 1; n < (int)LENGTH(expected); n++)
        assert_int_equal(clock_tree_rounds(n), expected[n]);
    assert_int_equal(clock_tree_rounds(1 << 30), 30);
    assert_int_equal(clock_tree_rounds(INT32_MAX), 31);
}

static void large_trees_do_not_overflow(void **state)
{
    (void)state;
    assert_int_equal(clock_tree_child(0, INT32_MAX, 0), 1 << 30);
    assert_int_equal(clock_tree_child(0, INT32_MAX, 30), 1);
    assert_int_equal(clock_tree_child(0, INT32_MAX, 31), -1);
    assert_int_equal(clock_tree_child(1 << 30, INT32_MAX, 0),
                     (1 << 30) + (1 << 29));
}

static void every_member_is_taught_once(void **state)
{
    static int taught[MOST], busy[MOST];

    (void)state;
    for (int n = 1; n <= MOST; n++) {
        for (int i = 0; i < n; i++)
            taught[i] = 0;
        for (int i = 0; i < n; i++) {
            /* The last round in which i is at work. */
            busy[i] = i == 0 ? -1 : clock_tree_round(i, n);
            for (int k = 0, child; (child = clock_tree_child(i, n, k)) >= 0;
                 k++) {
                const int round = clock_tree_round(child, n);

                assert_true(i < child && child < n);
                assert_int_equal(clock_tree_parent(child), i);
                assert_int_equal(clock_tree_depth(child),
                                 clock_tree_depth(i) + 1);
                assert_true(busy[i] < round && round < clock_tree_rounds(n));
                assert_true(k < TREE_MOST_ROUNDS);
                busy[i] = round;
                taught[child]++;
            }
        }
        assert_int_equal(clock_tree_parent(0), -1);
        for (int i = 0; i < n; i++)
            assert_int_equal(taught[i], i > 0);
    }
}

/* A job of nodes of unlike sizes: steps of teacher and pupil match. */
static void steps_match(void **state)
{
    enum { NODES = 13 };
    int learnt[NODES][NODES] = { { 0 } }, given[NODES][NODES] = { { 0 } };

    (void)state;
    for (int node = 0; node < NODES; node++) {
        const int locals = node % 5 + 1;

        for (int local = 0; local < locals; local++) {
            const struct clock_place p = { node, NODES, local, locals };
            struct clock_step step;
            int last = -1;

            for (int k = 0; clock_tree_step(&p, k, &step); k++) {
                assert_true(step.round > last);
                last = step.round;
                if (step.learns && step.across)
                    learnt[node][0] = 1 + step.round;
                else if (step.learns)
                    learnt[node][local] = 1 + step.round;
                else if (step.across)
                    given[step.peer][0] = 1 + step.round;
                else
                    given[node][step.peer] = 1 + step.round;
            }
        }
    }
    for (int node = 0; node < NODES; node++)
        for (int local = 0; local < NODES; local++) {
            const bool exists = local < node % 5 + 1 && node + local > 0;

            assert_int_equal(learnt[node][local], given[node][local]);
            assert_int_equal(learnt[node][local] > 0, exists);
        }
}

int main(void)
{
    static struct unit_list list;

    UNIT_ADD(&list, rounds_are_the_logarithm);
    UNIT_ADD(&list, large_trees_do_not_overflow);
    UNIT_ADD(&list, every_member_is_taught_once);
    UNIT_ADD(&list, steps_match);
    return unit_run("clock_tree", &list);
}
