/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * computation.h - a computation of so many steps, of the processor, of a GPU or of
 *                 both side by side; the same number of steps on every rank.
 */
#ifndef COMPUTATION_H
#define COMPUTATION_H

#include <mpi.h>

#include "timing/clock.h"

/* What computes. */
enum compute_on { COMPUTE_ON_CPU, COMPUTE_ON_GPU, COMPUTE_ON_BOTH };

struct computation {
    enum compute_on target;
    long work, gpu_work; /* steps of either */
    int tests;           /* MPI_Test calls spread over it */
    /* What the processor's lasts, and all of it, without any communication. */
    double work_s, alone_s;
};

/* Compute; returns the time spent in MPI_Test. */
clock_ticks computation_run(const struct computation *c, MPI_Request *request);

/*
 * One computation for all ranks: steps that last as long as seconds on their mean,
 * found by timing that very number of steps, and again until it fits.  On a GPU
 * a kernel lasts no less than its launch.  c->alone_s: what they last without any
 * communication, mean over the ranks.  Collective over comm.
 */
void computation_calibrate(struct computation *c, MPI_Comm comm,
                           double seconds);

/* A GPU's clock follows its load: what the computation lasts after the pass is what it
   lasted in it, so c->alone_s is taken anew.  Of the processor's it stays.  Collective
   over comm. */
void computation_look_again(struct computation *c, MPI_Comm comm);

#endif
