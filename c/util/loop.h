/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * loop.h - what a loop sees: one row of the table, with everything prepared
 *         for it, and the verbs of loop control.
 */
#ifndef LOOP_H
#define LOOP_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

#include "timing/laps.h"
#include "job/large_counts.h"

enum { BENCH_TAG = 1, BENCH_ACK_TAG = 2 };

/* One row of the table: a message size and everything prepared for it. */
struct bench_run {
    MPI_Comm comm;
    int rank, nranks;
    int peer;    /* the other rank of the pair; MPI_PROC_NULL: no partner */
    bool sender; /* the first of the pair, or of those that send */
    int tag;     /* of this thread's messages: threads.h */
    int pairs;   /* that talk at once */
    int stripes; /* of a message of this row, one for each pair: stripe.h */
    int root;    /* of a rooted collective, in this lap */
    bool root_rotates; /* from lap to lap */
    bool in_place;     /* -l: MPI_IN_PLACE where the operation allows it */

    size_t bytes;      /* message size of this row */
    bench_count count; /* the same, in elements of type */
    MPI_Datatype type; /* bytes == count * its extent; -D may leave gaps */
    MPI_Op op;

    bench_count part; /* elements this rank gets of a vector dealt out */

    void *send, *recv; /* as the program's flow says; or MPI_IN_PLACE */
    size_t send_stride, recv_stride; /* from slot to slot of a window */
    int window;                      /* messages in flight */
    long level;                      /* of this row: parameter.h */
    MPI_Request *request;            /* room for 2 * window */
    /* Of v- and w-collectives, one per block: layout.h. */
    const int *counts, *displs, *byte_displs;
    const MPI_Aint *places;
    const MPI_Datatype *types;
    struct rma *rma;               /* one-sided programs: rma.h */
    struct overlap *overlap;       /* non-blocking collectives: overlap.h */
    struct topology *topology;     /* neighbourhoods: topology.h */
    struct partitions *partitions; /* of a message: partitions.h */
    struct threads *threads;       /* threads of ranks: threads.h */
    struct groups *groups;         /* congestion: groups.h */
    struct buffer_pool *rotation;     /* --buffers, --touch: buffer_pool.h */
    struct reuse *reuse;           /* of buffers: reuse.h */
    struct staging *staging;       /* in the host: staging.h */
    struct matrix *matrix;         /* of all pairs: pair_times.h */
    struct application_run *application; /* a whole run: application.h */

    /* Below MPI: what a message goes over, and in words (transport.h). */
    struct shared *shared;
    struct tcp *tcp;
    struct ucx *ucx;
    char over[80];

    struct start *start; /* how bench_sync does it: start.h */
    struct laps laps;
};

/* Loop control: what each verb means stands in laps.h. */
static inline bool bench_lap(struct bench_run *r)
{
    return laps_lap(&r->laps);
}

static inline bool bench_last(const struct bench_run *r)
{
    return laps_last(&r->laps);
}

static inline bool bench_next(struct bench_run *r)
{
    return laps_next(&r->laps);
}

static inline void bench_start(struct bench_run *r)
{
    laps_start(&r->laps);
}

static inline void bench_leave_out(struct bench_run *r, clock_ticks from,
                                   clock_ticks to)
{
    laps_leave_out(&r->laps, from, to);
}

static inline void bench_stop(struct bench_run *r)
{
    laps_stop(&r->laps);
}

/* Bring all ranks to the starting line.  Never call it in a timed region. */
void bench_sync(struct bench_run *r);

/* The i-th message of a window: all receives have memory of their own. */
static inline void *bench_send_slot(const struct bench_run *r, int i)
{
    return (char *)r->send + (size_t)i * r->send_stride;
}

static inline void *bench_recv_slot(const struct bench_run *r, int i)
{
    return (char *)r->recv + (size_t)i * r->recv_stride;
}

#endif
