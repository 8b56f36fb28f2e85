/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rma_window.h - windows of one-sided programs, created in one of four ways.
 */
#ifndef RMA_WINDOW_H
#define RMA_WINDOW_H

#include "data/memory.h"
#include "loop.h"

enum rma_sync { RMA_LOCK, RMA_FLUSH, RMA_FLUSH_LOCAL, RMA_LOCK_ALL, RMA_PSCW, RMA_FENCE };

enum window_kind { WINDOW_CREATE, WINDOW_ALLOCATE, WINDOW_DYNAMIC, WINDOW_ALLOCATE_SHARED };

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
    double in_mpi, ratio; /* the figure of the pass in which it was in MPI, and that
                             of the other relative to it; NAN: not known */
    unsigned char mine, theirs, seen; /* last bytes: arrival.h */
    void *base;                       /* window memory of this rank */
    double room;                      /* for it in /dev/shm; NAN: it is not there */
    struct buffer memory;             /* memory at base, unless MPI allocates it */
};

static inline struct rma *rma_of(const struct bench_run *r)
{
    return r->family;
}

/*
 * Create a window of so many bytes on every rank, collectively over r->comm.
 * If MPI allocates the memory, its owner touches it first.  Otherwise rma->memory is
 * used.
 */
void rma_begin(struct rma *rma, const struct bench_run *r, size_t bytes);
void rma_end(struct rma *rma);

/* Make writes of the CPU visible in the window, and the reverse. */
void rma_make_visible(const struct bench_run *r);

/* Does the CPU see the memory of a window (MPI_WIN_UNIFIED)?  Collective over
   comm; the same on all ranks. */
bool rma_is_unified(MPI_Comm comm);

/* Bytes left in /dev/shm, if MPI has the memory there that ranks of a node share; NAN: it
   has not. */
double rma_room(void);

/* MPI's names, as OMB prints them. */
const char *rma_sync_name(enum rma_sync sync);
const char *rma_window_name(enum window_kind kind);

#endif
