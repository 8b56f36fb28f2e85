/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rma.h - the loops of one-sided programs: six ways to synchronize.
 *
 * An iteration is what runs between two tests of bench_repeat, or between bench_start and
 * bench_stop.  The sender of a pair is the origin, the other rank the target.
 *
 *              latency: one operation             bandwidth: a window of them
 *   lock       lock, op, unlock                   lock, ops, unlock
 *   flush      op, flush                          ops, flush
 *   flush_local  op, flush_local: local only,     ops, flush_local
 *              no latency without a result
 *   lock_all   lock_all, op, unlock_all           lock_all, ops, unlock_all
 *   pscw       start, op, complete, post, wait:   start, ops, complete
 *              the ranks take turns, an iteration is
 *              two operations, half is printed
 *   fence      fence, op, fence, fence: turns     fence, ops, fence
 *              as well; OMB's sequence, three
 *              fences for two operations
 *
 * In both directions at once: post, start, ops, complete, wait on either rank;
 * or fence, ops, fence.
 *
 * With flush and flush_local the window is locked once, outside the loop.  The target of lock and
 * flush waits inside MPI, in the next collective call: at the end of the batch or, if pairs start
 * together, at the next start; or it does what --target says.  A group of pscw contains only the
 * peer; a fence is over all pairs.
 */
#ifndef RMA_H
#define RMA_H

#include "data/flow.h"
#include "hotspot/hotspot.h"
#include "report/report.h"
#include "rma_state.h"

extern const struct family rma_family;

/* --- The options -s, -w and --target, and their values --------------------------- */

/* Options that only some of the programs take. */
enum {
    TAKES_RMA = TAKES_FAMILY(0),      /* -s */
    TAKES_ACTIVE = TAKES_FAMILY(1),   /* -s for active targets only */
    TAKES_PASSIVE = TAKES_FAMILY(2),  /* -s for passive targets only */
    TAKES_CREATION = TAKES_FAMILY(3), /* no -s: only -w */
};

extern const struct choice rma_sync_words[], rma_window_words[];

/* The value of -s.  Its default is flush, or pscw if only active targets are possible;
   lock for get_acc_latency with --protocol=omb. */
enum rma_sync rma_sync_of(const struct bench *b, const struct settings *s);

/* Must the target take part in the synchronization? */
static inline bool rma_is_active(enum rma_sync sync)
{
    return sync == RMA_PSCW || sync == RMA_FENCE;
}

/* The value of -w.  Its default is allocate; create for get_acc_latency with
   --protocol=omb.  create replaces allocate where a target's memory is of a type that MPI
   does not allocate, as in OMB. */
enum window_kind rma_window_kind(const struct bench *b, const struct settings *s);

/* --- Communication patterns, and the contents of windows ------------------------- */

/* What struct flow lacks for one-sided programs; its of_family points here. */
struct flow_rma {
    /* Blocks of this rank's window that operations update. */
    int (*updated)(const struct bench_run *r);
    bool swap;          /* block 0 replaces what equals block 1 */
    bool one_block;     /* all operations use one block of the window */
    bool both_ways;     /* the first rank of a pair is a target too */
    unsigned exclusive; /* bits 1 << enum rma_sync: their locks are exclusive */
    unsigned watched;   /* bits 1 << operation: the CPU must see a put without an MPI call */
};

static inline const struct flow_rma *flow_rma_of(const struct flow *flow)
{
    return flow->of_family;
}

extern const struct flow flow_put, /* into the target's window */
    flow_put_both_ways,            /* into each other's window */
    flow_get_both_ways,            /* out of each other's window */
    flow_put_watched,              /* the same, and operation 0 watches the memory */
    flow_get,                      /* out of the target's window */
    flow_accumulate,               /* added to what the target's window holds */
    flow_get_accumulate,           /* and the origin receives its previous contents */
    flow_fetch_and_add,            /* the same for one element */
    flow_compare_and_swap,         /* the same, but swapped if equal */
    flow_hot_get,                  /* rank 0's block, repeatedly, to every other rank */
    flow_hot_put;                  /* a block of every other rank to one place on rank 0 */

/* --- Tables ---------------------------------------------------------------------- */

/* With flush_local a time ends with local completion: the table says so. */
extern const struct report report_rma_latency, /* latency of one pair */
    report_rma_latency_alone,                  /* the same without the line of the type */
    report_rma_latency_of_pairs, report_rma_bandwidth, report_rma_both_ways,
    report_rma_bandwidth_of_pairs, report_rma_hot_spot; /* bandwidth of all peers, and of each */

/* --- What a passive target does meanwhile (--target) --------------------------- */

/*
 *   in-mpi     it waits in MPI, in the next collective call, and so can make progress;
 *   asleep     it sleeps for so many us, and then calls MPI once (MPI_Test);
 *   computing  it computes for so many us, and then calls MPI once.
 * Other than in-mpi, a row is measured in two passes, the first one with the target in
 * MPI; the table has both.  An operation that needs the target's CPU waits for its next
 * call of MPI.  The target goes on until its origin sends it an empty message, after
 * the last operation of a batch or, where pairs start together, after each operation.
 */

/* On the target: do that until the origin is done.  On the origin: it is. */
void target_away(struct bench_run *r);
void target_call(struct bench_run *r);

/* --- The loops ----------------------------------------------------------------- */

/* Slot i of the target's window memory. */
static inline MPI_Aint rma_place(const struct bench_run *r, int slot)
{
    return rma_of(r)->disp + (MPI_Aint)(bench_slot(r, slot) * r->recv_stride);
}

/* Do both ranks operate in turns, so that an iteration is two operations? */
static inline bool rma_takes_turns(const struct bench_run *r)
{
    return rma_of(r)->turns;
}

static inline bool rma_locks_once(enum rma_sync sync)
{
    return sync == RMA_FLUSH || sync == RMA_FLUSH_LOCAL;
}

/* The operation on message slot i, without any synchronization. */
typedef void rma_operation(struct bench_run *r, int slot);

/* One iteration on this rank. */
typedef void rma_iteration(struct bench_run *r, rma_operation *op, enum rma_sync sync);

/* Functions whose arguments are constants where they are called: each call
   becomes the plain loop of one synchronisation. */
#define ALWAYS_INLINE __attribute__((always_inline)) static inline

/* Open the epoch in which this rank is the origin. */
ALWAYS_INLINE void rma_open(const struct rma *rma, int target, enum rma_sync sync)
{
    if (sync == RMA_LOCK)
        MPI_Win_lock(rma->lock, target, 0, rma->win);
    else if (sync == RMA_LOCK_ALL)
        MPI_Win_lock_all(0, rma->win);
    else if (sync == RMA_PSCW)
        MPI_Win_start(rma->peer_group, 0, rma->win);
    else if (sync == RMA_FENCE)
        MPI_Win_fence(0, rma->win);
}

ALWAYS_INLINE void rma_close(const struct rma *rma, int target, enum rma_sync sync)
{
    if (sync == RMA_LOCK)
        MPI_Win_unlock(target, rma->win);
    else if (sync == RMA_FLUSH)
        MPI_Win_flush(target, rma->win);
    else if (sync == RMA_FLUSH_LOCAL)
        MPI_Win_flush_local(target, rma->win);
    else if (sync == RMA_LOCK_ALL)
        MPI_Win_unlock_all(rma->win);
    else if (sync == RMA_PSCW)
        MPI_Win_complete(rma->win);
    else
        MPI_Win_fence(0, rma->win);
}

/* The epoch of the peer, in which this rank is the target. */
ALWAYS_INLINE void rma_expose(const struct rma *rma, enum rma_sync sync)
{
    if (sync == RMA_PSCW) {
        MPI_Win_post(rma->peer_group, 0, rma->win);
        MPI_Win_wait(rma->win);
    }
}

ALWAYS_INLINE void rma_iteration_latency(struct bench_run *r, rma_operation *op, enum rma_sync sync)
{
    const struct rma *rma = rma_of(r);
    const int peer = r->peer;

    if (!r->sender && !rma_is_active(sync))
        return;
    if (!r->sender) {
        rma_expose(rma, sync);
        if (sync == RMA_FENCE)
            MPI_Win_fence(0, rma->win);
    }
    rma_open(rma, peer, sync);
    op(r, 0);
    rma_close(rma, peer, sync);
    if (r->sender) {
        rma_expose(rma, sync);
        if (sync == RMA_FENCE)
            MPI_Win_fence(0, rma->win);
    }
}

ALWAYS_INLINE void rma_iteration_bandwidth(struct bench_run *r, rma_operation *op,
                                           enum rma_sync sync)
{
    const struct rma *rma = rma_of(r);
    const int peer = r->peer, window = r->window;

    if (r->sender) {
        rma_open(rma, peer, sync);
        for (int i = 0; i < window; i++)
            op(r, i);
        rma_close(rma, peer, sync);
    } else if (sync == RMA_FENCE) {
        MPI_Win_fence(0, rma->win);
        MPI_Win_fence(0, rma->win);
    } else {
        rma_expose(rma, sync);
    }
}

/* Operations in both directions at once; for active targets only. */
ALWAYS_INLINE void rma_iteration_both_ways(struct bench_run *r, rma_operation *op,
                                           enum rma_sync sync)
{
    const struct rma *rma = rma_of(r);
    const int peer = r->peer, window = r->window;

    if (sync == RMA_PSCW)
        MPI_Win_post(rma->peer_group, 0, rma->win);
    rma_open(rma, peer, sync);
    for (int i = 0; i < window; i++)
        op(r, i);
    rma_close(rma, peer, sync);
    if (sync == RMA_PSCW)
        MPI_Win_wait(rma->win);
}

/* All iterations of a batch: one after another, or with the ranks synchronized before each. */
ALWAYS_INLINE void rma_iterations(struct bench_run *r, rma_operation *op, rma_iteration *iteration,
                                  bool together, enum rma_sync sync)
{
    const struct rma *rma = rma_of(r);
    const MPI_Win win = rma->win;
    const bool locked = r->sender && rma_locks_once(sync);

    if (!together && !r->sender && !rma_is_active(sync)) {
        if (rma->away)
            target_away(r);
        return; /* a passive target has nothing to do */
    }
    if (locked)
        MPI_Win_lock(rma->lock, r->peer, 0, win);
    if (together) {
        while (bench_next(r)) {
            bench_sync(r);
            bench_start(r);
            iteration(r, op, sync);
            bench_stop(r);
            if (rma->away)
                (r->sender ? target_call : target_away)(r);
        }
    } else {
        while (bench_repeat(r)) {
            if (r->as_omb) /* reads it twice an iteration, timed like the rest */
                clock_now();
            iteration(r, op, sync);
        }
    }
    if (locked)
        MPI_Win_unlock(r->peer, win);
    if (rma->away && !together)
        target_call(r);
}

ALWAYS_INLINE void rma_run(struct bench_run *r, rma_operation *op, rma_iteration *iteration,
                           bool together)
{
    switch (rma_of(r)->sync) {
    case RMA_LOCK:
        rma_iterations(r, op, iteration, together, RMA_LOCK);
        break;
    case RMA_FLUSH:
        rma_iterations(r, op, iteration, together, RMA_FLUSH);
        break;
    case RMA_FLUSH_LOCAL:
        rma_iterations(r, op, iteration, together, RMA_FLUSH_LOCAL);
        break;
    case RMA_LOCK_ALL:
        rma_iterations(r, op, iteration, together, RMA_LOCK_ALL);
        break;
    case RMA_PSCW:
        rma_iterations(r, op, iteration, together, RMA_PSCW);
        break;
    default:
        rma_iterations(r, op, iteration, together, RMA_FENCE);
    }
}

ALWAYS_INLINE void rma_latency(struct bench_run *r, rma_operation *op)
{
    rma_run(r, op, rma_iteration_latency, false);
}

ALWAYS_INLINE void rma_bandwidth(struct bench_run *r, rma_operation *op)
{
    rma_run(r, op, rma_iteration_bandwidth, false);
}

ALWAYS_INLINE void rma_both_ways(struct bench_run *r, rma_operation *op)
{
    if (rma_of(r)->sync == RMA_PSCW)
        rma_iterations(r, op, rma_iteration_both_ways, false, RMA_PSCW);
    else
        rma_iterations(r, op, rma_iteration_both_ways, false, RMA_FENCE);
}

/* Many pairs: the ranks are synchronized before each iteration.  Otherwise pairs
   would drift apart, and each would be measured alone. */
ALWAYS_INLINE void rma_latency_of_pairs(struct bench_run *r, rma_operation *op)
{
    rma_run(r, op, rma_iteration_latency, true);
}

ALWAYS_INLINE void rma_bandwidth_of_pairs(struct bench_run *r, rma_operation *op)
{
    rma_run(r, op, rma_iteration_bandwidth, true);
}

#endif
