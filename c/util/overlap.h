/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * overlap.h - a computation between the start of an operation and its
 *             completion.
 *
 * Measured in two passes:
 *   pure      the operation alone;
 *   computing start, compute, wait: a computation as long as the pure lap on
 *             the mean over ranks stands between the two; it is the same
 *             number of steps on every rank.
 *
 * What non-blocking collectives hide of it (overlap_run):
 * Sample   of the second pass: from before the start to after the wait.
 * Printed  its mean; the computation (less the time in MPI_Test); the pure
 *          time; and 100 - 100 (overall - computation) / pure, the share of
 *          the operation that the computation hid, shown as 0 if negative.
 *
 * What is left of an operation where it had the time to complete by itself
 * (overlap_apart):
 * Sample   of the second pass: the start and the wait, without what lies
 *          between them.
 */
#ifndef OVERLAP_H
#define OVERLAP_H

#include "run.h"

struct overlap {
    bool computing;             /* the second pass */
    long work;                  /* steps of computation in a lap */
    int tests;                  /* MPI_Test calls spread over it */
    const clock_ticks *counted; /* samples before this one are a lead-in */
    clock_ticks start, compute, test, wait; /* summed over laps */
    long laps;                              /* of that sum */
};

/* The non-blocking call itself. */
typedef void overlap_start(struct bench_run *r, MPI_Request *request);

/* Compute r->overlap->work steps; returns the time spent in MPI_Test. */
clock_ticks overlap_compute(const struct overlap *o, MPI_Request *request);

/* Forget the laps noted so far. */
void overlap_reset(struct overlap *o);

/* Add the parts of the lap that just ended, unless it is a lead-in.  begun: its
   first reading of the clock; what has been left out of it lies between started
   and computed. */
void overlap_note(struct bench_run *r, clock_ticks begun, clock_ticks started,
                  clock_ticks computed, clock_ticks tested);

/*
 * One computation for all ranks: steps that last as long as seconds on their
 * mean, found by timing that very number of steps, and again until it fits.
 * *alone_s: what they last without any communication, mean over the ranks.
 * Collective over comm.
 */
long overlap_calibrate(MPI_Comm comm, double seconds, double *alone_s);

/* Both passes.  Inlined, so that start becomes a direct call. */
__attribute__((always_inline)) static inline void
overlap_run(struct bench_run *r, overlap_start *start)
{
    MPI_Request request;

    if (!r->overlap->computing) {
        while (bench_next(r)) {
            bench_sync(r);
            bench_start(r);
            start(r, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            bench_stop(r);
        }
        return;
    }
    while (bench_next(r)) {
        bench_sync(r);
        bench_start(r);
        start(r, &request);
        const clock_ticks started = clock_now();
        const clock_ticks tested = overlap_compute(r->overlap, &request);
        const clock_ticks computed = clock_now();
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        bench_stop(r);
        overlap_note(r, r->laps.mark, started, computed, tested);
    }
}

/* The second pass with the computation left out of the lap. */
__attribute__((always_inline)) static inline void
overlap_apart(struct bench_run *r, overlap_start *start)
{
    MPI_Request request;

    while (bench_next(r)) {
        bench_sync(r);
        bench_start(r);
        const clock_ticks begun = r->laps.mark;
        start(r, &request);
        const clock_ticks started = clock_now();
        const clock_ticks tested = overlap_compute(r->overlap, &request);
        const clock_ticks computed = clock_now();
        bench_leave_out(r, started, computed);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        bench_stop(r);
        overlap_note(r, begun, started, computed, tested);
    }
}

#endif
