/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * loop.h - what a loop sees: one row of the table, with everything prepared
 *          for it, and the verbs of loop control.
 *
 * Words of the measuring code:
 *   iteration  one pass through the loop
 *   sample     what one reading of the clock after another gives: the time of
 *              an iteration, or of several
 *   stride     iterations in a sample
 *   batch      iterations that follow each other in one call of the loop
 *   row        a line of the table: a size, a type, a parameter, an operation
 *   block      rows under one heading
 *   block of a buffer: one message in it; slot: one that has memory of its own
 *   side       the ranks that send first, or the others
 *   window     messages in flight at once
 */
#ifndef LOOP_H
#define LOOP_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

#include "job/large_counts.h"
#include "timing/clock.h"

enum { BENCH_TAG = 1, BENCH_ACK_TAG = 2 };

struct start;
struct buffer_pool;
struct portion;

/* Where the blocks of a buffer lie, one entry for each: data/flow.h. */
struct layout {
    int *counts;             /* in elements */
    int *displs;             /* in elements; of MPI_Alltoallw in bytes */
    MPI_Aint *displacements; /* in bytes, of any size; NULL: neither MPI_Neighbor_alltoallw nor
                         portions */
    const struct portion *portions; /* how long they are; NULL: all as the message */
    int n;                          /* so many entries */
};

/* One row of the table: a message size and everything prepared for it. */
struct bench_run {
    MPI_Comm comm;
    int rank, nranks;
    int peer;          /* the other rank of the pair; MPI_PROC_NULL: no partner */
    bool sender;       /* the first of the pair, or of those that send */
    int tag;           /* messages of this thread carry it */
    int pairs;         /* pairs that talk at once */
    int root;          /* the root of a rooted collective, in this iteration */
    bool root_rotates; /* from iteration to iteration */
    bool in_place;     /* -l: MPI_IN_PLACE where the operation allows it */
    bool as_omb;       /* --protocol omb: start and post receives as OMB */

    size_t bytes;      /* message size of this row */
    bench_count count; /* the same, in elements of type */
    MPI_Datatype type; /* bytes == count * its extent; -D may leave gaps */
    MPI_Op op;
    bench_count recv_count; /* elements that this rank receives of a scattered
                               result (reduce_scatter) */

    void *send, *recv;               /* as the program's flow says; or MPI_IN_PLACE */
    size_t send_stride, recv_stride; /* from slot to slot of a window */
    int window;                      /* messages in flight */
    int slots;                       /* of them have memory of their own; the others share it */
    long parameter;                  /* its value in this row: options/settings.h */
    int operation;                   /* number of the row's, of bench.operations */
    /* To be verified, an iteration is made in so many turns, so that no message lies where
       one before it lay; turn: that one is under way, from 1, or 0: all is measured.  Where
       turns are operations, their names. */
    int turns, turn;
    const char *const *turn_names;
    unsigned checks;      /* iterations that were verified so far: contents differ */
    MPI_Request *request; /* of messages under way: as many as the flow says */

    /* Of v- and w-collectives. */
    int blocks;            /* of any rank, at most */
    double fullest;        /* messages in a buffer of any rank, of portions */
    struct layout out, in; /* of what is sent, and of what is received */
    MPI_Datatype *types;   /* one per block; NULL: the operation takes one for all */

    void *family;             /* state of the program's family: its header */
    struct buffer_pool *pool; /* --buffers, --touch: run/prepare.h */
    struct start *start;      /* how bench_sync does it: run/start.h */
    struct iterations iterations;
};

/* --- Loop control that is also the stopwatch.  All but bench_sync is inline and runs inside, or
   right around, timed regions; nothing else of c/util does.  Two verbs for two kinds of loops:

     bench_repeat  the loop holds nothing but the measured operation.  The time from one clock
                   reading to the next is a sample, so samples add up to the duration of the
                   loop.  Only every stride-th iteration reads the clock: a sample is then the
                   time of stride iterations.
     bench_next    something untimed stands in the loop too (bringing the ranks together):
                   bench_start and bench_stop enclose what is timed. --- */

static inline bool bench_repeat(struct bench_run *r)
{
    struct iterations *const l = &r->iterations;

    if (__builtin_expect(--l->until_mark != 0, 1))
        return true;

    const clock_ticks now = clock_now();

    *l->next = now - l->mark;
    l->mark = now;
    l->until_mark = l->stride;
    if (__builtin_expect(l->between != NULL, 0)) {
        *l->begun++ = l->late ? 0 : 1;
        iterations_pause(l);
        l->mark = clock_now();
    }
    return ++l->next < l->end;
}

/* Is this the last iteration?  Asked in the body of a loop of bench_repeat. */
static inline bool bench_last(const struct bench_run *r)
{
    const struct iterations *const l = &r->iterations;

    return l->until_mark == 1 && l->next + 1 == l->end;
}

static inline bool bench_next(struct bench_run *r)
{
    struct iterations *const l = &r->iterations;

    if (__builtin_expect(l->between != NULL, 0))
        iterations_pause(l);
    l->begun++;
    return ++l->next < l->end;
}

static inline void bench_start(struct bench_run *r)
{
    r->iterations.mark = clock_now();
}

/* What lay between two readings of the clock since bench_start is no part of the iteration. */
static inline void bench_leave_out(struct bench_run *r, clock_ticks from, clock_ticks to)
{
    r->iterations.mark += to - from;
}

static inline void bench_stop(struct bench_run *r)
{
    struct iterations *const l = &r->iterations;

    *l->next = clock_now() - l->mark;
    *l->begun = l->late ? 0 : l->mark;
}

/* Bring all ranks to the starting line.  Never call it in a timed region. */
void bench_sync(struct bench_run *r);

/* The slot of message i of a window, or of several that lie one after the other. */
static inline size_t bench_slot(const struct bench_run *r, int i)
{
    if (r->slots == r->window)
        return (size_t)i;
    return (size_t)(i / r->window) * (size_t)r->slots + (size_t)(i % r->window % r->slots);
}

static inline void *bench_send_slot(const struct bench_run *r, int i)
{
    return (char *)r->send + bench_slot(r, i) * r->send_stride;
}

static inline void *bench_recv_slot(const struct bench_run *r, int i)
{
    return (char *)r->recv + bench_slot(r, i) * r->recv_stride;
}

#endif
