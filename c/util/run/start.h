/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * start.h - bringing the ranks to the starting line of an iteration.
 *
 *   dissemination  a barrier of our own: ceil(log2 P) rounds, in round
 *            k an empty message to rank + 2^k and from rank - 2^k.  The same
 *            under every library, so that a library's choice of barrier
 *            algorithm does not leak into the figure of another collective.
 *            (Hensgen, Finkel, Manber 1988.)
 *   library  MPI_Barrier, for conditions equal to OMB's.
 *   clock    a moment of the global clock: after our barrier rank 0 names one
 *            a little ahead and sends it down a binomial tree of our own; every
 *            rank waits for it in a loop.  What a barrier leaves of skew is
 *            gone.  A rank that learns of the moment after it has passed, or
 *            was pushed off its CPU while it waited, is late, and the iteration is
 *            dropped.  A rank that is to arrive later than the others waits for its own
 *            moment, so much after the one that was told.  (Round-Time of Hunold and
 *            Carpen-Amarie, 2018.)
 *   none     nothing: iterations follow back to back, and only batches begin together.
 *            A rank that is done early begins its next iteration early, so that single
 *            iterations mean little; their mean is what the Pallas benchmarks print.
 */
#ifndef START_H
#define START_H

#include <mpi.h>
#include <stdbool.h>

#include "job/world.h"
#include "loop.h"
#include "options/settings.h"
#include "timing/clock_sync.h"

struct start {
    /* True: this rank came late. */
    bool (*together)(struct start *start);
    bool can_be_late;
    MPI_Comm comm; /* of its own: its messages meet no others */
    int rank, nranks;
    const struct clock_sync *sync;
    double lead_s, most_lead_s; /* how far ahead the moment lies */
    double after_s;             /* this rank begins so much after it */
    double asleep_s;            /* so long after it, a rank was off its CPU */
    long told_late;             /* iterations, since the last review */
    int straggler;     /* this rank of the run comes late, and all others early; -1: none */
    double late_s;     /* by so much: longer than any rank takes that does not wait for it */
    clock_ticks early; /* when this one was at the start, before it */
};

/* Collective over comm, as are the others; its communicator is to be freed.  sync and the clock's
   resolution: used by START_CLOCK only; sync is fitted, and valid as long. */
struct start start_begin(MPI_Comm comm, enum start_kind kind, const struct clock_sync *sync,
                         double resolution_s);

/* Bring the ranks together between iterations, of whatever kind. */
void start_batch(struct bench_run *r);

/* --- Rows that are numbers of ranks: only the first ones of the job run the loop,
   the others wait ------------------------------------------------------------- */

/*
 * Let r be of the first n ranks alone: its communicator, number of ranks and
 * start.  On other ranks r->comm is MPI_COMM_NULL; it is to be freed.  Collective over the world.
 */
void subset_begin(struct bench_run *r, const struct world *world, int n);

/* In place of a batch on a rank that waits: n iterations that took no time here, and
   to whose start it was not late; those numbered 0 are scratch. */
void subset_wait(clock_ticks *ticks, clock_ticks *begun, long n);

/* Does this rank wait? */
static inline bool subset_waits(const struct bench_run *r)
{
    return r->comm == MPI_COMM_NULL;
}

#endif
