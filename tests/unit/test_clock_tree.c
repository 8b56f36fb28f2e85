/* SPDX-License-Identifier: BSD-3-Clause */
/* Trees of any size: every member is taught once, by one who knows, and nobody
   does two things in one round. */
#include "unit.h"

#include "unit_clocks.h"

enum { MOST = 1100 };

TEST(large_trees_do_not_overflow)
{
    assert_int_equal(clock_tree_child(0, INT32_MAX, 0), 1 << 30);
    assert_int_equal(clock_tree_child(0, INT32_MAX, 30), 1);
    assert_int_equal(clock_tree_child(0, INT32_MAX, 31), -1);
    assert_int_equal(clock_tree_child(1 << 30, INT32_MAX, 0),
                     (1 << 30) + (1 << 29));
}

TEST(every_member_is_taught_once)
{
    static int taught[MOST], busy[MOST];

    for (int n = 1; n <= MOST; n++) {
        for (int i = 0; i < n; i++)
            taught[i] = 0;
        for (int i = 0; i < n; i++) {
            /* The last round in which i is at work. */
            busy[i] = i == 0 ? -1 : tree_round(i, n);
            for (int k = 0, child; (child = clock_tree_child(i, n, k)) >= 0;
                 k++) {
                const int round = tree_round(child, n);

                assert_true(i < child && child < n);
                assert_int_equal(clock_tree_parent(child), i);
                assert_int_equal(clock_tree_depth(child),
                                 clock_tree_depth(i) + 1);
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
