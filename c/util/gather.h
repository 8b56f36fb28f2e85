/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gather.h - samples of many ranks made into one row, in O(log P) messages.
 */
#ifndef GATHER_H
#define GATHER_H

#include <mpi.h>

/*
 * Per lap the slowest rank: slowest[i] on rank 0 becomes the maximum over the
 * ranks of mine[i].  Ranks that do not measure hand in zeros.  Collective.
 */
void gather_slowest(MPI_Comm comm, const double *mine, double *slowest, int n);

/* How a figure spreads over the ranks that have one. */
struct spread {
    double mean, min, max;
    int ranks;
};

/* Spread of mine over the ranks where measures is true; the result is on
   every rank.  Collective. */
struct spread gather_spread(MPI_Comm comm, double mine, int measures);

#endif
