/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * turns.h - what noise costs where all ranks wait for each other: iterations of a quantum
 *           of work and an allreduce of 8 bytes.
 *
 * Each rank times its quantum q and the allreduce a.  The rank that comes last waits for
 * nobody, so the shortest a of all ranks is that of the operation itself.
 *
 *   quantum    the shortest q of each rank; of these, the longest: the slowest CPU
 *   allreduce  median over iterations of the shortest a
 *   together   mean time of an iteration
 *   cost       together - quantum - allreduce, as a part of quantum + allreduce
 *   own        what a rank lost in its own quanta: mean over iterations of q less its
 *              shortest, mean over ranks, as the same part.  A cost above it is what
 *              ranks wait for the noise of others, and noise in the allreduce itself.
 *
 * The rank with the longest q of an iteration is to blame for what that is longer than
 * quantum, if it is a detour.
 */
#ifndef NOISE_TURNS_H
#define NOISE_TURNS_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "job/progress.h"
#include "job/world.h"
#include "report/result.h"
#include "timing/clock.h"

/* --- A quantum of work --------------------------------------------------------- */

/*
 * A chain of integer operations in registers, in which each waits for the one before.
 * It touches no memory and calls nothing, so only what takes the CPU away, or slows its
 * clock, makes it longer.
 */

void quantum_run(long steps);

/*
 * Steps that last so many seconds on the fastest rank, at least 1; the same on every rank.
 * All ranks compute for some ms at a time, as they will later.  Collective over comm.
 */
long quantum_calibrate(MPI_Comm comm, double seconds);

/* --- Iterations ---------------------------------------------------------------- */

enum { TURNS = 256, TURNS_MOST = 65536 };

/* One batch: readings of the clock, and the sums. */
struct turns {
    int n; /* iterations of the batch */
    clock_ticks begun[TURNS + 1], worked[TURNS];
    int64_t mine[TURNS], sum[TURNS];
};

struct turns_cost {
    long n; /* iterations */
    double quantum_s, allreduce_s, together_s;
    double least_s, most_s; /* together, over ranks */
    double cost, own;
    struct blame
        blame; /* share: of the time that detours of the slowest rank took */
    double elapsed_s;
};

/* The iteration begins.  Is there one? */
static inline bool turns_next(struct turns *t, int i)
{
    progress_moved();
    t->begun[i] = clock_now();
    return i < t->n;
}

/* Its quantum is over. */
static inline void turns_worked(struct turns *t, int i)
{
    t->worked[i] = clock_now();
}

/*
 * Run batches until rank 0 sees that duration_s is over; batch runs one.  Every sum is
 * checked after its batch: *wrong is the iteration of the first wrong one, from 1, and
 * *rank the first rank that has it; 0: all are right.  The result is on rank 0.
 * Collective.
 */
void turns_run(struct turns *t, const struct world *world, double duration_s,
               void (*batch)(void *), void *argument, struct turns_cost *cost,
               long *wrong, int *rank);

#endif
