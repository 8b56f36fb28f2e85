/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rma.h - one-sided programs: windows, and the six ways to synchronise.
 *
 * rma_latency and rma_bandwidth are the loops of all one-sided programs; what
 * is between two tests of bench_lap is one lap.  Rank 0 is the origin, rank 1
 * the target.
 *
 *              latency: one operation             bandwidth: a window of them
 *   lock       lock, op, unlock                   lock, ops, unlock
 *   flush      op, flush                          ops, flush
 *   flush_local  op, flush_local: local completion only, not a latency
 *   lock_all   lock_all, op, unlock_all           lock_all, ops, unlock_all
 *   pscw       start, op, complete, post, wait:   start, ops, complete
 *              the ranks take turns, a lap is
 *              two operations, half is printed
 *   fence      fence, op, fence, fence: turns     fence, ops, fence
 *              as well; OMB's sequence, three
 *              fences for two operations
 *
 * With flush and flush_local the window is locked once, outside the loop.
 * The target of lock and flush stands in the next collective call, inside MPI.
 */
#ifndef RMA_H
#define RMA_H

#include "run.h"
#include "settings.h"

struct rma {
    MPI_Win win;
    MPI_Aint disp; /* of the target's memory in its window */
    MPI_Group peer_group;
    enum rma_sync sync;
    enum window_kind kind;
    bool turns; /* both ranks operate, one after the other */
    void *base; /* window memory of this rank */
};

/* Slot i of the target's window memory. */
static inline MPI_Aint rma_place(const struct bench_run *r, int slot)
{
    return r->rma->disp + (MPI_Aint)((size_t)slot * r->recv_stride);
}

/* Do both ranks operate in turns, so that a lap is two operations? */
static inline bool rma_takes_turns(const struct bench_run *r)
{
    return r->rma != NULL && r->rma->turns;
}

/* The operation on message slot i, without any synchronisation. */
typedef void rma_operation(struct bench_run *r, int slot);

#define ALWAYS_INLINE __attribute__((always_inline)) static inline

ALWAYS_INLINE void rma_latency_passive(struct bench_run *r, rma_operation *op)
{
    const MPI_Win win = r->rma->win;
    const int target = r->peer;

    if (!r->sender)
        return;
    switch (r->rma->sync) {
    case RMA_LOCK:
        while (bench_lap(r)) {
            MPI_Win_lock(MPI_LOCK_SHARED, target, 0, win);
            op(r, 0);
            MPI_Win_unlock(target, win);
        }
        break;
    case RMA_LOCK_ALL:
        while (bench_lap(r)) {
            MPI_Win_lock_all(0, win);
            op(r, 0);
            MPI_Win_unlock_all(win);
        }
        break;
    case RMA_FLUSH:
        MPI_Win_lock(MPI_LOCK_SHARED, target, 0, win);
        while (bench_lap(r)) {
            op(r, 0);
            MPI_Win_flush(target, win);
        }
        MPI_Win_unlock(target, win);
        break;
    default: /* RMA_FLUSH_LOCAL */
        MPI_Win_lock(MPI_LOCK_SHARED, target, 0, win);
        while (bench_lap(r)) {
            op(r, 0);
            MPI_Win_flush_local(target, win);
        }
        MPI_Win_unlock(target, win);
    }
}

ALWAYS_INLINE void rma_latency_fence(struct bench_run *r, rma_operation *op)
{
    const MPI_Win win = r->rma->win;

    if (r->sender) {
        while (bench_lap(r)) {
            MPI_Win_fence(0, win);
            op(r, 0);
            MPI_Win_fence(0, win);
            MPI_Win_fence(0, win);
        }
    } else {
        while (bench_lap(r)) {
            MPI_Win_fence(0, win);
            MPI_Win_fence(0, win);
            op(r, 0);
            MPI_Win_fence(0, win);
        }
    }
}

ALWAYS_INLINE void rma_latency_pscw(struct bench_run *r, rma_operation *op)
{
    const MPI_Win win = r->rma->win;
    const MPI_Group peer = r->rma->peer_group;

    if (r->sender) {
        while (bench_lap(r)) {
            MPI_Win_start(peer, 0, win);
            op(r, 0);
            MPI_Win_complete(win);
            MPI_Win_post(peer, 0, win);
            MPI_Win_wait(win);
        }
    } else {
        while (bench_lap(r)) {
            MPI_Win_post(peer, 0, win);
            MPI_Win_wait(win);
            MPI_Win_start(peer, 0, win);
            op(r, 0);
            MPI_Win_complete(win);
        }
    }
}

ALWAYS_INLINE void rma_latency(struct bench_run *r, rma_operation *op)
{
    if (r->rma->sync == RMA_FENCE)
        rma_latency_fence(r, op);
    else if (r->rma->sync == RMA_PSCW)
        rma_latency_pscw(r, op);
    else
        rma_latency_passive(r, op);
}

/* A window of operations between opening and closing the epoch. */
ALWAYS_INLINE void rma_bandwidth_origin(struct bench_run *r, rma_operation *op)
{
    const MPI_Win win = r->rma->win;
    const MPI_Group peer = r->rma->peer_group;
    const enum rma_sync sync = r->rma->sync;
    const bool locked = sync == RMA_FLUSH || sync == RMA_FLUSH_LOCAL;
    const int target = r->peer, window = r->window;

    if (locked)
        MPI_Win_lock(MPI_LOCK_SHARED, target, 0, win);
    while (bench_lap(r)) {
        if (sync == RMA_LOCK)
            MPI_Win_lock(MPI_LOCK_SHARED, target, 0, win);
        else if (sync == RMA_LOCK_ALL)
            MPI_Win_lock_all(0, win);
        else if (sync == RMA_FENCE)
            MPI_Win_fence(0, win);
        else if (sync == RMA_PSCW)
            MPI_Win_start(peer, 0, win);

        for (int i = 0; i < window; i++)
            op(r, i);

        if (sync == RMA_FLUSH)
            MPI_Win_flush(target, win);
        else if (sync == RMA_FLUSH_LOCAL)
            MPI_Win_flush_local(target, win);
        else if (sync == RMA_LOCK)
            MPI_Win_unlock(target, win);
        else if (sync == RMA_LOCK_ALL)
            MPI_Win_unlock_all(win);
        else if (sync == RMA_FENCE)
            MPI_Win_fence(0, win);
        else
            MPI_Win_complete(win);
    }
    if (locked)
        MPI_Win_unlock(target, win);
}

ALWAYS_INLINE void rma_bandwidth(struct bench_run *r, rma_operation *op)
{
    const MPI_Win win = r->rma->win;

    if (r->sender) {
        rma_bandwidth_origin(r, op);
    } else if (r->rma->sync == RMA_FENCE) {
        while (bench_lap(r)) {
            MPI_Win_fence(0, win);
            MPI_Win_fence(0, win);
        }
    } else if (r->rma->sync == RMA_PSCW) {
        while (bench_lap(r)) {
            MPI_Win_post(r->rma->peer_group, 0, win);
            MPI_Win_wait(win);
        }
    }
}

/*
 * Create the window of a pair, collectively over r->comm.  For WINDOW_ALLOCATE
 * MPI brings the memory (touched by its owner, which uses it from align_offset
 * on), else memory is used.
 */
void rma_begin(struct rma *rma, const struct bench_run *r, void *memory,
               size_t bytes, size_t align_offset);
void rma_end(struct rma *rma);

/* Make what the processor wrote visible to the window, and the reverse. */
void rma_settle(const struct rma *rma, int rank);

/* MPI's names, as OMB prints them. */
const char *rma_sync_name(enum rma_sync sync);
const char *rma_window_name(enum window_kind kind);

#endif
