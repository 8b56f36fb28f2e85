/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stragglers.h - the times of all pairs of ranks, and who is slow.
 *
 * Pairs are compared only with pairs of the same path (same NUMA domain, ..., between nodes).  The
 * time of a rank is the lower median of its pairs: one slow partner would spoil a mean, and of two
 * pairs the slow one must not count.  The typical time is the median of the ranks' times.  A rank
 * with two pairs or more is slow if its time is above typical by 10%, or by four standard
 * deviations of the ranks where these vary more (estimated as 1.4826 times the median absolute
 * deviation).  If a node has several ranks and all are slow, the node is slow.  A pair is slow if
 * its time is above typical by 50%, or by six deviations of the pairs, and its two ranks do not
 * explain it: the product of their multiples of the typical time is allowed for.
 */
#ifndef STRAGGLERS_H
#define STRAGGLERS_H

#include <stddef.h>

#include "job/placement.h"

/* The times of all pairs, and the places of the ranks: on rank 0; elsewhere all is 0. */
struct all_pairs {
    int ranks;
    /* At all_pairs_at(i, j): the median that rank i measured with rank j, in s, and their
       enum path; PATHS: the two did not meet.  Of a rank with itself: undefined */
    double *time;
    unsigned char *path;
    int *node;    /* node of each rank; numbered in the order of ranks */
    struct home { /* the place of each rank */
        struct spot spot;
        int rank; /* in the job */
        char host[HOST_NAME_MAX + 1];
    } * home;
};

static inline size_t all_pairs_at(const struct all_pairs *all, int i, int j)
{
    return (size_t)i * (size_t)all->ranks + (size_t)j;
}

enum { STRAGGLERS_KEPT = 16 }; /* the worst ones */

/* The times of one kind of path. */
struct straggler_path {
    long pairs;   /* pairs with this kind of path; 0: it does not occur */
    double usual; /* typical time, in s */
    double slow;  /* limit of a rank, as a multiple of the typical time */
};

struct straggler {
    int rank, partner; /* partner -1: the rank with all of its partners */
    /* 0: a rank or a pair; otherwise the number of ranks of the node, the first of which is rank */
    int node;
    int path;
    double times;     /* its time, as a multiple of the typical time */
    int above, pairs; /* its pairs above the limit of a rank; all its pairs */
};

struct stragglers {
    struct straggler_path path[PATHS];
    /* Ranks and nodes, then pairs; the worst of each first. */
    struct straggler slow[STRAGGLERS_KEPT];
    int found;      /* number that is kept */
    long left_over; /* number that is not kept */
};

/* Judge the times of all pairs, of which the mean of both directions counts. */
void stragglers_find(const struct all_pairs *all, struct stragglers *out);

#endif
