/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reuse.h - which of its buffers a message uses, in buffer_reuse_latency and
 *           buffer_reuse_bw.
 *
 *   fifo     N buffers in turn: level N
 *   percent  of a hundred messages R, spread evenly, use one and the same
 *            buffer, the others one after another of REUSE_POOL: level R
 *
 * No two receives under way may share a buffer: what one is for a sender, are
 * as many as the window has messages for a receiver.
 */
#ifndef REUSE_H
#define REUSE_H

#include <stdbool.h>

struct bench_run;

enum { REUSE_POOL = 512 };

/* Buffers of a side: those used in turn, and behind them those used again. */
struct reuse_side {
    int in_turn, again;
    int percent; /* of the messages use the latter */
    int next, next_again, due;
};

struct reuse {
    bool percent; /* the scheme */
    struct reuse_side send, recv;
};

/* Of the level that *r is at, from the first buffer on. */
void reuse_begin(struct reuse *reuse, const struct bench_run *r);

/* Buffers of a side at that level. */
int reuse_sends(const struct bench_run *r);
int reuse_receives(const struct bench_run *r);

/* Laps until every buffer has been used, of any side. */
int reuse_cycle(const struct bench_run *r);

/* The buffer of the next message. */
static inline int reuse_next(struct reuse_side *side)
{
    side->due += side->percent;
    if (side->due < 100) {
        const int i = side->next;

        side->next = i + 1 < side->in_turn ? i + 1 : 0;
        return i;
    }
    const int i = side->next_again;

    side->due -= 100;
    side->next_again = i + 1 < side->again ? i + 1 : 0;
    return side->in_turn + i;
}

#endif
