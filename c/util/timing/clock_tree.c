/* SPDX-License-Identifier: BSD-3-Clause */
#include "clock_tree.h"

int clock_tree_rounds(int n)
{
    int rounds = 0;

    while (rounds < TREE_MOST_ROUNDS && (1L << rounds) < n)
        rounds++;
    return rounds;
}

/* The largest h so that i is a multiple of 2^h; member 0 of n teaches as if
   2^rounds were its own. */
static int height(int i, int n)
{
    int h = 0;

    if (i == 0)
        return clock_tree_rounds(n);
    while ((i >> h & 1) == 0)
        h++;
    return h;
}

int clock_tree_parent(int i)
{
    return i > 0 ? i & (i - 1) : -1;
}

int clock_tree_round(int i, int n)
{
    return clock_tree_rounds(n) - 1 - height(i, n);
}

int clock_tree_depth(int i)
{
    int depth = 0;

    for (; i > 0; i = clock_tree_parent(i))
        depth++;
    return depth;
}

int clock_tree_child(int i, int n, int k)
{
    for (int h = height(i, n) - 1; h >= 0; h--) {
        /* i + 2^h may be beyond INT_MAX */
        if ((1L << h) < (long)n - i && k-- == 0)
            return i + (1 << h);
    }
    return -1;
}

/* Step k within one tree; false behind the last, with the number of steps
   there were taken off k. */
static bool step_of(int i, int n, int *k, struct clock_step *step)
{
    const int lead = i > 0; /* the one step of learning */

    if (*k < lead) {
        step->learns = true;
        step->peer = clock_tree_parent(i);
        step->round = clock_tree_round(i, n);
        return true;
    }
    step->pupil = *k - lead;
    step->peer = clock_tree_child(i, n, step->pupil);
    if (step->peer >= 0) {
        step->round = clock_tree_round(step->peer, n);
        return true;
    }
    *k -= lead;
    for (int child = 0; clock_tree_child(i, n, child) >= 0; child++)
        --*k;
    return false;
}

bool clock_tree_step(const struct clock_place *p, int k,
                     struct clock_step *step)
{
    *step = (struct clock_step){ .across = true };
    if (p->local == 0 && step_of(p->node, p->nodes, &k, step))
        return true;
    *step = (struct clock_step){ .across = false };
    if (!step_of(p->local, p->locals, &k, step))
        return false;
    step->round += clock_tree_rounds(p->nodes);
    return true;
}
