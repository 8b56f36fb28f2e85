/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock_tree.h - who learns the global time from whom.
 *
 * A binomial tree of n members: member i teaches i + 2^h for each h below the
 * number of zeros that i ends with in binary (all of ceil(log2 n) for member 0),
 * the farthest first.  Every member but 0 is taught once, by one who has been.
 *
 *     n = 6      0 -> 4      round 0
 *                0 -> 2      round 1    (4 has no 6)
 *                0 -> 1, 2 -> 3, 4 -> 5      round 2
 *
 * A job has two kinds of them: one of the nodes' leaders, and one inside each
 * node.  (The order of HCA3 of Hunold and Carpen-Amarie, 2018.)
 */
#ifndef CLOCK_TREE_H
#define CLOCK_TREE_H

/* Who teaches member i; -1 for member 0. */
static inline int clock_tree_parent(int i)
{
    return i > 0 ? i & (i - 1) : -1;
}

/* Pupil number k of member i, in the order of teaching; -1 after the last. */
static inline int clock_tree_child(int i, int n, int k)
{
    for (int step = i > 0 ? (i & -i) >> 1 : 1 << 30; step > 0; step >>= 1)
        if (step < n - i && k-- == 0)
            return i + step;
    return -1;
}

/* How many members taught one after the other until i had the time. */
static inline int clock_tree_depth(int i)
{
    return __builtin_popcount((unsigned)i);
}

#endif
