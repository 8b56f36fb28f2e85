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

#include "loop.h"

/* What computes. */
enum overlap_target { OVERLAP_CPU, OVERLAP_GPU, OVERLAP_BOTH };

struct overlap {
    bool computing; /* the second pass */
    enum overlap_target target;
    long work, gpu_work; /* steps of computation in a lap, of either */
    int tests;           /* MPI_Test calls spread over it */
    double work_s,
        alone_s; /* what the processor's lasts, and all of it, without any
                               communication */
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

/*
 * One computation for all ranks: o->work steps that last as long as seconds on their
 * mean, found by timing that very number of steps, and again until it fits.  On a GPU
 * a kernel lasts no less than its launch.  o->alone_s: what they last without any
 * communication, mean over the ranks.  Collective over comm.
 */
void overlap_calibrate(struct overlap *o, MPI_Comm comm, double seconds);

/* A GPU's clock follows its load: what the computation lasts after the pass is what it
   lasted in it, so o->alone_s is taken anew.  Of the processor's it stays.  Collective
   over comm. */
void overlap_look_again(struct overlap *o, MPI_Comm comm);

/* The computation of a lap, if it has one: when it began and ended, and what of it
   was spent in MPI_Test. */
struct overlap_part {
    clock_ticks started, computed, tested;
};

static inline struct overlap_part overlap_part(const struct overlap *o,
                                               MPI_Request *request)
{
    struct overlap_part part = { .started = clock_now() };

    part.tested = o->computing ? overlap_compute(o, request) : 0;
    part.computed = clock_now();
    return part;
}

/* Add the parts of the lap that just ended, unless it is a lead-in.  begun: its
   first reading of the clock; what has been left out of it is that part. */
void overlap_note(struct bench_run *r, clock_ticks begun,
                  struct overlap_part part);

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
        const struct overlap_part part = overlap_part(r->overlap, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        bench_stop(r);
        overlap_note(r, r->laps.mark, part);
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
        const struct overlap_part part = overlap_part(r->overlap, &request);
        bench_leave_out(r, part.started, part.computed);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        bench_stop(r);
        overlap_note(r, begun, part);
    }
}

#endif
