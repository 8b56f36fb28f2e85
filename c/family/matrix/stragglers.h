/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stragglers.h - who is slow among many: the times of all pairs of ranks, judged.
 *
 * Pairs are compared with pairs of the same path only (same NUMA domain, ..., between
 * nodes).  What a rank takes is the lower median of its pairs: not the mean, which one
 * slow partner spoils, and lower, so that of two pairs a slow one does not count.
 * Usual is the median of that over the ranks.  A rank of two pairs or more is slow if it
 * takes more than usual by 10 %, or by four standard deviations of the ranks, where
 * these vary more (estimated as 1.4826 times the median absolute deviation).  Where all
 * of several ranks of a node are slow, it is the node.  A pair is slow if it takes half
 * as much again as usual, or six deviations of the pairs more, and neither rank is to
 * blame: what they take beyond usual, multiplied, is allowed for.
 */
#ifndef STRAGGLERS_H
#define STRAGGLERS_H

#include <stdbool.h>

#include "machine/placement.h"

enum {
    STRAGGLERS_KEPT = 16 /* that are kept, the worst */
};

/* What the ranks of one kind of path take. */
struct straggler_path {
    long pairs;   /* of it; 0: it does not occur */
    double usual; /* s */
    double slow;  /* a rank is slow beyond so many times usual */
};

struct straggler {
    int rank, partner; /* partner -1: the rank with all of its partners */
    int node;          /* 0: rank or pair; else all so many ranks of a node, of
                          which this is the first */
    int path;
    double times;     /* usual */
    int above, pairs; /* its pairs: beyond the limit of a rank; all */
};

struct stragglers {
    int ranks;
    struct straggler_path path[PATHS];
    /* Ranks and nodes, then pairs; the worst of each first. */
    struct straggler slow[STRAGGLERS_KEPT];
    int found;      /* of them kept */
    long left_over; /* not kept */
};

/*
 * Judge the times of all pairs.  time[i * ranks + j]: what rank i saw of its pair with
 * j, in seconds, of which the mean of both sights counts; path[i * ranks + j]: number of
 * the kind of path, alike both ways; node[i]: number of the rank's node.  Times and
 * paths of a rank with itself are not read.  False: no memory.
 */
bool stragglers_find(int ranks, const double *time, const unsigned char *path,
                     const int *node, struct stragglers *out);

#endif
