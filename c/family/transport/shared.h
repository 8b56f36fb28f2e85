/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shared.h - two processes of one node that hand messages to each other through
 *            memory both have mapped.
 *
 * What is sent lies in memory that the receiver sees too.  To send is to write
 * down, in a cache line that the receiver polls, where the message lies, and as
 * the last its number (release); to receive is to wait for that number
 * (acquire), and to copy the message into memory of one's own.  So a message
 * costs the way of one line from core to core and one copy: what no MPI library
 * can do without.
 *
 * Lines stand in a ring, of which either process writes one; it has room for a
 * window.  A receiver must have said that it has the window before the sender
 * goes on, as the loops do.
 */
#ifndef SHARED_H
#define SHARED_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "shared_memory.h"
#include "transport.h"

/* Two lines, since processors fetch them in pairs. */
enum { SHARED_LINE = 128, SHARED_PATIENCE = 1 << 14 };

struct shared_line {
    _Alignas(SHARED_LINE) atomic_ulong number; /* of the message; 0: none yet */
    size_t at; /* bytes after the sender's first */
};

struct shared {
    struct transport transport;
    struct shared_line *out, *in; /* rings: that of this process, the peer's */
    unsigned long sent, received, mask;
    const char *own, *peers; /* where what either sends begins */

    struct buffer ring;
    struct memory_share share[2]; /* of the peer: ring, what it sends */
    void *block[2];
};

static inline struct shared *shared_of(const struct bench_run *r)
{
    return r->family;
}

static inline void shared_send(struct shared *s, const void *message)
{
    struct shared_line *line = &s->out[++s->sent & s->mask];

    line->at = (uintptr_t)message - (uintptr_t)s->own;
    atomic_store_explicit(&line->number, s->sent, memory_order_release);
}

/* Wait for the next message; returns how far it is from the peer's first. */
static inline size_t shared_await(struct shared *s)
{
    struct shared_line *line = &s->in[++s->received & s->mask];
    unsigned times = 0;

    while (atomic_load_explicit(&line->number, memory_order_acquire) !=
           s->received)
        transport_idle(&times, SHARED_PATIENCE);
    return line->at;
}

static inline void shared_recv(struct shared *s, void *to, size_t bytes)
{
    memcpy(to, s->peers + shared_await(s), bytes);
}

#endif
