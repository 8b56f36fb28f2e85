/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reuse.h - which of its buffers a message uses, in buffer_reuse_latency and
 *           buffer_reuse_bw.  --scheme and the parameter of a row decide it:
 *
 *   fifo     N buffers in turn: parameter N
 *   percent  R of a hundred messages, spread evenly, use one and the same
 *            buffer; the others use 512 buffers in turn: parameter R
 *
 * Two receives under way must not share a buffer.  For one buffer of a sender a
 * receiver therefore has as many buffers as the window has messages.
 */
#ifndef REUSE_H
#define REUSE_H

#include "data/flow.h"
#include "family.h"
#include "loop.h"
#include "options/settings.h"

/* The buffers of a rank: those used in turn, and after them those used
   again. */
struct reuse_side {
    int in_turn, again;
    int percent; /* percent of the messages that use the latter */
    int next, next_again, due;
};

struct reuse {
    bool percent;    /* the scheme */
    unsigned before; /* verified iterations before this row */
    struct reuse_side send, recv;
};

FAMILY_OF(bench_run, struct reuse, reuse_of)

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

/* The parameter of a program: buffers in turn, unless --scheme names percent. */
#define REUSE_BUFFERS                                                                              \
    {                                                                                              \
        .name = "Buffers", .key = "buffers", .option = "reuse", .argument = "N[,N...]",            \
        .value = { PARAMETER_DOUBLING }, .kind = PARAMETER_NUMBER, .least = 1, .most = 1 << 24,    \
        .help = "buffers; with --scheme=percent the percentage of messages "                       \
                "that use one buffer (0,25,50,75,90,100); for each a "                             \
                "section of the table",                                                            \
        .fallback = "1,2,4,...,512"                                                                \
    }

extern const struct flow flow_reuse_ping_pong, /* a block each way */
    flow_reuse_stream;                         /* a window from the sender to the receiver */

extern const struct family reuse_family;

#endif
