/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * subset.h - rows that are numbers of ranks: only the first ranks of the job
 *            run the loop, the others wait.
 */
#ifndef SUBSET_H
#define SUBSET_H

#include "job/world.h"
#include "loop.h"
#include "start.h"

/* The number of ranks of the row after that of n ranks, of the first after 0:
   2, 4, ... and all; 0: it was the last. */
static inline int subset_next(int n, int all)
{
    if (n == all)
        return 0;
    return n > all / 2 ? all : n == 0 ? 2 : 2 * n;
}

/*
 * Let r be of the first n ranks alone: its communicator, number of ranks and
 * start; sync and resolution_s as start_begin's.  On other ranks r->comm is
 * MPI_COMM_NULL.  Collective over the world.
 */
void subset_begin(struct bench_run *r, const struct world *world, int n,
                  enum start_kind start, const struct clock_sync *sync,
                  double resolution_s);
void subset_end(struct bench_run *r);

/* In place of a batch on a rank that waits: n laps that took no time here, and
   to whose start it was not late; those numbered 0 are scratch. */
void subset_wait(clock_ticks *ticks, clock_ticks *begun, long n);

/* Does this rank wait? */
static inline bool subset_waits(const struct bench_run *r)
{
    return r->comm == MPI_COMM_NULL;
}

#endif
