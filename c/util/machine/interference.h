/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * interference.h - did the machine hold still while a row was measured?
 *
 * Asked from the kernel right before and right after: where each rank runs and
 * may run, how often it was pushed off its CPU, how long the control group's
 * quota held it back; and, by a fixed loop of integer operations that touches
 * no memory, how fast its core goes.  Nothing of it falls into a lap.
 */
#ifndef INTERFERENCE_H
#define INTERFERENCE_H

#include <mpi.h>

#include "affinity.h"

/* What became of all ranks meanwhile. */
struct steadiness {
    int moved;          /* ranks that run on another CPU than before */
    int rebound;        /* ranks whose set of allowed CPUs changed */
    long preempted;     /* times the rank pushed off most often was */
    double throttled_s; /* longest time that a quota held a rank back */
    double speed;       /* a fixed loop's after the row, by that before it,
                           where it is farthest from 1: below 1 a core became
                           slower; 0: not looked at */
    bool speed_changed; /* by more than 2 % */
};

/* One rank at one moment. */
struct steady_state {
    int cpu;
    struct affinity allowed;
    long preempted;     /* involuntary context switches so far */
    double throttled_s; /* by the quota of its control group, so far */
    double loop_s;      /* the fixed loop, the fastest of some */
};

void interference_look(struct steady_state *state);

/* Collective over comm; the result is on rank 0. */
struct steadiness interference_compare(MPI_Comm comm,
                                       const struct steady_state *before,
                                       const struct steady_state *after);

#endif
