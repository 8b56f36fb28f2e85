/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rma_state.h - what -s, -w and --target ask for, and what a one-sided run has.
 */
#ifndef RMA_STATE_H
#define RMA_STATE_H

#include "data/memory.h"
#include "family.h"
#include "loop.h"
#include "options/settings.h"

enum rma_sync { RMA_LOCK, RMA_FLUSH, RMA_FLUSH_LOCAL, RMA_LOCK_ALL, RMA_PSCW, RMA_FENCE };
enum window_kind { WINDOW_CREATE, WINDOW_ALLOCATE, WINDOW_DYNAMIC, WINDOW_ALLOCATE_SHARED };
enum rma_target { TARGET_IN_MPI, TARGET_ASLEEP, TARGET_COMPUTING };

struct rma_settings {
    int sync;        /* enum rma_sync; -1: the program's default */
    int window_kind; /* enum window_kind; -1: the program's default */
    int target;      /* enum rma_target */
    long target_us;
};

FAMILY_OF(settings, const struct rma_settings, rma_settings)

struct rma {
    MPI_Win win;
    MPI_Aint disp; /* displacement of the target's memory in its window */
    MPI_Group peer_group;
    enum rma_sync sync;
    enum window_kind kind;
    int lock;             /* MPI_LOCK_SHARED or MPI_LOCK_EXCLUSIVE, for lock and flush */
    bool turns;           /* both ranks operate, one after the other */
    bool hot_spot;        /* rank 0 is the target of all other ranks */
    int target;           /* enum rma_target: what the target does meanwhile */
    long target_us;       /* at a time, if it is not in MPI */
    bench_count count;    /* of an operation of this row */
    bool away;            /* it does that in this pass */
    double in_mpi, ratio; /* the figure of the pass in which it was in MPI, and that of the other
                             relative to it; NAN: not known */
    unsigned char mine, theirs, seen; /* last bytes: arrival.h */
    void *base;                       /* window memory of this rank */
    double room;                      /* for it in /dev/shm; NAN: it is not there */
    struct buffer memory;             /* memory at base, unless MPI allocates it */
};

FAMILY_OF(bench_run, struct rma, rma_of)

#endif
