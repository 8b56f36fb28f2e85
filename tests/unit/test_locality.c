/* SPDX-License-Identifier: BSD-3-Clause */
/* Which paths there are among ranks: against every two of them. */
#include "unit.h"

#include "machine/placement.h"
#include "unit_random.h"

enum { RANKS = 12 };

static unsigned of_all_pairs(const struct spot *spot, size_t n)
{
    unsigned mask = 0;

    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            mask |= 1u << path_between(&spot[i], &spot[j]);
    return mask;
}

static int below(unsigned n)
{
    return (int)(unit_uniform() * n);
}

/* Packages of two NUMA nodes each; some ranks are bound to no NUMA node, some
   to no package either. */
static struct spot any_spot(unsigned nodes, unsigned packages)
{
    struct spot spot = { .node = (uint64_t)below(nodes),
                         .package = below(packages + 1) - 1,
                         .numa = -1 };

    if (spot.package >= 0 && below(3) > 0)
        spot.numa = 2 * spot.package + below(2);
    return spot;
}

TEST(neighbours_tell_of_all)
{
    unit_random_state = 1;
    for (int round = 0; round < 20000; round++) {
        struct spot spot[RANKS];
        const size_t n = (size_t)below(RANKS + 1);
        const unsigned nodes = 1 + (unsigned)below(3);
        const unsigned packages = (unsigned)below(3);

        for (size_t i = 0; i < n; i++)
            spot[i] = any_spot(nodes, packages);
        const unsigned expected = of_all_pairs(spot, n);

        assert_int_equal(placement_paths(spot, n, false), expected);
    }
}

TEST(ranks_that_share_a_node_are_seen_from_elsewhere)
{
    struct spot spot[] = { { 7, 0, 0 }, { 3, 0, 0 }, { 3, 1, 2 } };

    assert_int_equal(placement_paths(spot, LENGTH(spot), true),
                     1u << INTER_NODE);
    assert_int_equal(placement_paths(spot, LENGTH(spot), false),
                     1u << INTER_NODE | 1u << SAME_NODE);
}

/* A node whose memory is one NUMA node for all its packages. */
TEST(one_numa_node_may_hold_several_packages)
{
    struct spot spot[] = { { 0, 1, 0 }, { 0, 0, 0 }, { 0, 1, 0 } };

    assert_int_equal(placement_paths(spot, LENGTH(spot), false),
                     1u << SAME_NUMA);
}

TEST(a_single_rank_has_no_path)
{
    struct spot spot = { 0, 0, 0 };

    assert_int_equal(placement_paths(&spot, 1, false), 0);
    assert_int_equal(placement_paths(&spot, 1, true), 0);
}
