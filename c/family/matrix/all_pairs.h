/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * all_pairs.h - the times of all pairs, and the places of the ranks.
 */
#ifndef ALL_PAIRS_H
#define ALL_PAIRS_H

#include "machine/placement.h"
#include "schedule/part_times.h"

/* On rank 0; elsewhere all is 0. */
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
        char host[64];
    } * home;
};

static inline size_t all_pairs_at(const struct all_pairs *all, int i, int j)
{
    return (size_t)i * (size_t)all->ranks + (size_t)j;
}

/* Bytes of the samples of so many ranks, on each; and of their pairs, on rank 0. */
size_t all_pairs_samples(int ranks);
size_t all_pairs_bytes(int ranks);

/* Let the pairs of so many ranks lie in that memory. */
void all_pairs_begin(struct all_pairs *all, int ranks, void *memory);

/* Collect the medians, multiplied by scale, and the places of the ranks of comm; in the
   job this one is number rank.  Collective over comm. */
void all_pairs_gather(const struct part_times *t, MPI_Comm comm, double scale,
                      const struct placement *placement, int rank,
                      struct all_pairs *all);

#endif
