/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * interference.h - system noise while a row was measured.
 *
 * Right before and right after a row the kernel is asked where each rank runs
 * and may run, how often it lost its CPU, and how long the quota of the control
 * group stopped it.  A fixed loop of integer operations, which touches no
 * memory, tells the speed of its core.  None of this is inside a lap.
 */
#ifndef INTERFERENCE_H
#define INTERFERENCE_H

#include <mpi.h>

#include "affinity.h"

/* What happened to the ranks while a row was measured. */
struct steadiness {
    int moved;          /* ranks that run on another CPU than before */
    int rebound;        /* ranks whose set of allowed CPUs changed */
    long preempted;     /* how often the most affected rank lost its CPU */
    double throttled_s; /* longest time that a quota held a rank back */
    /* Speed of a fixed loop after the row, relative to that before it, where it
       is farthest from 1.  Below 1 a core became slower; 0: not measured. */
    double speed;
    bool speed_changed; /* it changed by more than 2% */
};

/* The state of one rank at one moment. */
struct steady_state {
    int cpu;
    struct affinity allowed;
    long preempted;     /* involuntary context switches so far */
    double throttled_s; /* stopped by the quota of its control group, so far */
    double loop_s;      /* time of the fixed loop, the shortest of some */
};

void interference_look(struct steady_state *state);

/* Collective over comm; the result is on rank 0. */
struct steadiness interference_compare(MPI_Comm comm,
                                       const struct steady_state *before,
                                       const struct steady_state *after);

#endif
