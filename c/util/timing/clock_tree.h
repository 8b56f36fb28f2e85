/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock_tree.h - who learns the global time from whom, and when.
 *
 * Binomial trees, downwards from index 0, for any number of members: in round
 * k of ceil(log2 n), counted from 0, member i with i mod 2^(h+1) = 0 teaches
 * i + 2^h, where h = ceil(log2 n) - 1 - k.  Every member but 0 is taught once,
 * by one who has been; a member has at most ceil(log2 n) pupils.
 *
 *     n = 6      0 -> 4      round 0
 *                0 -> 2      round 1    (4 has no 6)
 *                0 -> 1, 2 -> 3, 4 -> 5      round 2
 *
 * Of a job there are two such trees: of the nodes' leaders across nodes, and
 * inside each node below its leader.  A rank reckons its own part of both, in
 * constant memory.  (The order of HCA3 of Hunold and Carpen-Amarie, 2018.)
 */
#ifndef CLOCK_TREE_H
#define CLOCK_TREE_H

#include <stdbool.h>

enum { TREE_MOST_ROUNDS = 31 };

/* ceil(log2 n) */
int clock_tree_rounds(int n);

/* Who teaches member i; -1 for member 0. */
int clock_tree_parent(int i);

/* The round in which member i > 0 of n is taught. */
int clock_tree_round(int i, int n);

/* How many teachers there are between member i and member 0, and i itself. */
int clock_tree_depth(int i);

/* Pupil number k of member i, in the order of their rounds; -1 behind the
   last. */
int clock_tree_child(int i, int n, int k);

/* Where a rank is: node number and index inside its node.  Index 0 leads. */
struct clock_place {
    int node, nodes;
    int local, locals;
};

/* One thing that a rank does. */
struct clock_step {
    bool across; /* between leaders: peer is a node; else an index inside it */
    bool learns; /* from peer, else peer learns from this rank */
    int peer;
    int pupil; /* which of this rank's pupils in that tree, from 0 */
    int round; /* over both trees, from 0 */
};

/* Step number k of a rank, in order; false behind the last. */
bool clock_tree_step(const struct clock_place *p, int k,
                     struct clock_step *step);

#endif
