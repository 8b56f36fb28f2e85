/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * over_ranks.h - samples of many ranks made into one row, in O(log P) messages.
 *
 * Never is a sample of every rank brought together: reductions only.
 */
#ifndef OVER_RANKS_H
#define OVER_RANKS_H

#include <mpi.h>
#include <stdbool.h>

#include "timing/clock.h"

enum { GATHER_CHUNK = 2048 }; /* iterations of one reduction: bounds the memory */

/* Per iteration the slowest rank: slowest[i] becomes the maximum over the ranks of mine[i],
   and blame[rank] counts the iterations where it was that rank's alone; on rank 0.  Ranks
   that do not measure hand in zeros; slowest may be mine.  Collective. */
void over_ranks_slowest(MPI_Comm comm, const double *mine, long n, double *slowest, long *blame);

/* Per iteration, by the global clock, in seconds: from the first start to the last end
   (completion), and from the first start to the last (skew); blame[rank] counts the
   iterations that this rank began last.  counts: this rank measures.  n is at most
   GATHER_CHUNK.  Collective; results on rank 0. */
void over_ranks_span(MPI_Comm comm, const double *begun, const double *ended, bool counts, int n,
                     double *completion, double *skew, long *blame);

/* ticks[i] becomes 0 on every rank where it is 0 on any. */
void over_ranks_any_zero(MPI_Comm comm, clock_ticks *ticks, long n);

/* How a figure spreads over the ranks that have one: where measures is true.  On every
   rank; collective. */
struct spread {
    double mean, min, max;
    int ranks;
};

struct spread over_ranks_spread(MPI_Comm comm, double mine, int measures);

/* The longest time of the ranks of comm, of equals that of the lowest rank, and whom that
   rank had to do with.  On every rank; collective. */
struct extreme {
    double time;
    int rank, partner;
};

struct extreme over_ranks_longest(MPI_Comm comm, double time, int partner);

#endif
