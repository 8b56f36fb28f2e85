/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * interference.h - system noise while a row, or a batch of it, was measured.
 *
 * Right before and right after a row the kernel is asked where each rank runs and may run, how
 * often it lost its CPU, and how long the quota of the control group stopped it.  A fixed loop of
 * integer operations, which touches no memory, tells the speed of its core.  None of this is
 * inside an iteration.
 *
 * A batch is disturbed if, from right before its start to its end, on this rank
 *   the kernel took the CPU from a measuring thread (an involuntary context switch; it
 *   does so too before it moves a running thread to another core), or
 *   the hypervisor gave the CPU to another machine (stolen time, which the kernel
 *   counts in steps of 10 ms).
 * What the job does to itself is no disturbance.  So no batch is called disturbed in which
 * another thread of the process ran, which may be the MPI library's, or in which the measuring
 * thread gave its CPU away to wait: the rank that wakes it may be the one that takes it.  Whether
 * ranks share CPUs is the caller's to ask.
 */
#ifndef INTERFERENCE_H
#define INTERFERENCE_H

#include <mpi.h>
#include <stdbool.h>

#include "hardware.h"

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

struct cpu_share {
    double own;  /* what a thread that computes gets of its CPU */
    int polling; /* other threads of this process that run all the time */
};

/* Before anything is measured.  It takes no time (own = 1, polling = 0) where this thread has
   hardly waited for a CPU so far, 12 ms where it does not wait now, and else 62 ms; 50 ms if
   the look is always taken. */
struct cpu_share interference_share(bool always);

/* The state of one rank at one moment. */
struct steady_state {
    int cpu;
    struct affinity allowed;
    long preempted;     /* involuntary context switches so far */
    double throttled_s; /* stopped by the quota of its control group, so far */
    double loop_s;      /* time of the fixed loop, the shortest of some */
};

/* One rank's watch over a row and its batches. */
struct interference {
    struct steady_state before; /* the row began */
    bool all_threads;           /* all of the process measure, not this one alone */
    bool stealing;              /* time was stolen here, and asking how much takes little */
    /* When the batch began, so far: */
    long taken;      /* involuntary context switches of the measuring threads */
    long given;      /* and those in which they waited for something */
    double others_s; /* CPU time of the other threads of the process */
    double stolen_s;
};

/* A row begins.  all_threads: as above. */
void interference_begin(struct interference *w, bool all_threads);

/* A batch begins; it has ended: was it disturbed on this rank? */
void interference_batch_begins(struct interference *w);
bool interference_batch_disturbed(const struct interference *w);

/* The row has ended.  Collective over comm; the result is on rank 0. */
struct steadiness interference_end(const struct interference *w, MPI_Comm comm);

#endif
