/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * computation.h - a computation of so many steps on the CPU, on a GPU, or on
 *                 both at the same time; the same number of steps on every
 *                 rank.
 */
#ifndef COMPUTATION_H
#define COMPUTATION_H

#include <mpi.h>

#include "timing/clock.h"

/* Where the computation runs. */
enum compute_on {
    COMPUTE_ON_CPU,
    COMPUTE_ON_GPU,
    COMPUTE_ON_BOTH,
    COMPUTE_NOT /* there is none */
};

struct computation {
    enum compute_on target;
    double
        lasts_s; /* above 0: so long by the clock, on the CPU, whatever the steps */
    long work, gpu_work; /* steps on the CPU and on the GPU */
    int tests;           /* MPI_Test calls spread over it */
    /* Duration on the CPU, and of the whole computation, without
       communication. */
    double work_s, alone_s;
};

/* Compute; returns the time spent in MPI_Test, which one that lasts so long by the
   clock does not call. */
clock_ticks computation_run(const struct computation *c, MPI_Request *request);

/*
 * Find one computation for all ranks: steps that last so many seconds, mean
 * over ranks.  That number of steps is itself timed, and changed until it fits.
 * On a GPU a kernel lasts at least as long as its launch.  c->alone_s becomes
 * the duration without any communication, mean over the ranks.  One that lasts so long
 * by the clock needs no steps.  Collective over comm.
 */
void computation_calibrate(struct computation *c, MPI_Comm comm,
                           double seconds);

/* Measure c->alone_s again after a pass.  A GPU's clock follows its load, so
   the duration after the pass is that in the pass.  The duration on the CPU
   stays.  Collective over comm. */
void computation_look_again(struct computation *c, MPI_Comm comm);

#endif
