/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * arrival.h - ways to notice that a message is complete, each for a ping-pong.
 *
 * A step is what a rank does in its turn.  Each step becomes part of a plain
 * loop where arrival_ping_pong is called with it.
 */
#ifndef ARRIVAL_H
#define ARRIVAL_H

#include <sched.h>
#include <stdatomic.h>

#include "rma.h"

typedef void arrival_step(struct bench_run *r);

/* Send, and notice the answer; rank 0 begins. */
ALWAYS_INLINE void arrival_ping_pong(struct bench_run *r, arrival_step *send, arrival_step *notice)
{
    if (r->rank == 0) {
        while (bench_repeat(r)) {
            send(r);
            notice(r);
        }
    } else {
        while (bench_repeat(r)) {
            notice(r);
            send(r);
        }
    }
}

/* Put into the peer's window, and complete the put there. */
ALWAYS_INLINE void arrival_put(struct bench_run *r)
{
    MPI_Put(r->send, r->count, r->type, r->peer, rma_place(r, 0), r->count, r->type,
            rma_of(r)->win);
    MPI_Win_flush(r->peer, rma_of(r)->win);
}

/* The same, and tell the peer. */
ALWAYS_INLINE void arrival_put_and_tell(struct bench_run *r)
{
    arrival_put(r);
    MPI_Send(NULL, 0, MPI_BYTE, r->peer, BENCH_TAG, r->comm);
}

ALWAYS_INLINE void arrival_told(struct bench_run *r)
{
    MPI_Recv(NULL, 0, MPI_BYTE, r->peer, BENCH_TAG, r->comm, MPI_STATUS_IGNORE);
}

ALWAYS_INLINE void arrival_send(struct bench_run *r)
{
    MPI_Send(r->send, r->count, r->type, r->peer, BENCH_TAG, r->comm);
}

ALWAYS_INLINE MPI_Request arrival_receive(struct bench_run *r)
{
    MPI_Request request;

    MPI_Irecv(r->recv, r->count, r->type, r->peer, BENCH_TAG, r->comm, &request);
    return request;
}

ALWAYS_INLINE void arrival_by_test(struct bench_run *r)
{
    MPI_Request request = arrival_receive(r);

    for (int done = 0; !done;)
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
}

ALWAYS_INLINE void arrival_by_wait(struct bench_run *r)
{
    MPI_Request request = arrival_receive(r);

    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Yield the CPU between two tests. */
ALWAYS_INLINE void arrival_by_yield(struct bench_run *r)
{
    MPI_Request request = arrival_receive(r);
    int done;

    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    while (!done) {
        sched_yield();
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
}

/* Notice a put by its last byte in memory.  The byte changes in each iteration, so it does not
   matter if it is written twice, as copying in overlapping pieces does.  After the last iteration
   both ranks restore the byte that was there.  No MPI call is needed to see the byte
   (MPI_WIN_UNIFIED), but MPI is called now and then, since it may have to move the data itself. */
enum { NOTICE_PATIENCE = 1000 }; /* polls before MPI is called */

ALWAYS_INLINE volatile unsigned char *arrival_last(const struct bench_run *r, void *buffer)
{
    return (unsigned char *)buffer + r->bytes - 1;
}

ALWAYS_INLINE void arrival_put_another(struct bench_run *r)
{
    volatile unsigned char *mine = arrival_last(r, r->send);

    arrival_put(r);
    *mine = (unsigned char)~*mine;
}

ALWAYS_INLINE void arrival_in_memory(struct bench_run *r)
{
    volatile unsigned char *last = arrival_last(r, r->recv);
    const unsigned char seen = rma_of(r)->seen;

    for (long looks = 1; *last == seen; looks++)
        if (looks % NOTICE_PATIENCE == 0) {
            int any;

            MPI_Iprobe(r->peer, BENCH_TAG, r->comm, &any, MPI_STATUS_IGNORE);
        }
    atomic_thread_fence(memory_order_acquire);
    rma_of(r)->seen = (unsigned char)~seen;
}

/* Collective over the pair, like arrival_end.  The window is locked in between. */
void arrival_begin(struct bench_run *r);
void arrival_end(struct bench_run *r);

#endif
