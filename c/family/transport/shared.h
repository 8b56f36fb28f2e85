/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shared.h - two processes of one node that pass messages through memory which both have mapped.
 *
 * The receiver can read the sender's memory.  To send, a process writes the place of the message
 * and then its number (release) into a cache line that the receiver polls.  To receive, a process
 * waits for that number (acquire), and copies the message into its own memory.  So a message costs
 * the transfer of one cache line from core to core, and one copy.  No MPI library can do with less.
 *
 * The lines form a ring that only one of the processes writes; it has room for a window.  A
 * receiver must acknowledge a window before the sender continues, as the loops do.
 */
#ifndef SHARED_H
#define SHARED_H

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "transport.h"

extern const struct family transport_shared_family;

/* Two lines, since processors fetch them in pairs. */
enum { SHARED_LINE = 128, SHARED_PATIENCE = 1 << 14 };

struct shared_line {
    _Alignas(SHARED_LINE) atomic_ulong number; /* of the message; 0: none yet */
    size_t at;                                 /* offset from the sender's first byte */
};

/* By which the other process finds memory of this one. */
struct memory_share {
    long process;
    int file;
    unsigned long token; /* no other file is taken for it */
    size_t mapped, at;   /* all of it; where the buffer begins */
};

struct shared {
    struct transport transport;
    struct shared_line *out, *in; /* ring of this process, ring of the peer */
    unsigned long sent, received, mask;
    const char *own, *peers; /* send buffers of this process and of the peer */

    struct buffer ring;
    struct memory_share share[2]; /* of the peer: its ring, its send buffer */
    void *block[2];
};

FAMILY_OF(bench_run, struct shared, shared_of)

static inline void shared_send(struct shared *s, const void *message)
{
    struct shared_line *line = &s->out[++s->sent & s->mask];

    line->at = (uintptr_t)message - (uintptr_t)s->own;
    atomic_store_explicit(&line->number, s->sent, memory_order_release);
}

/* Wait for the next message; returns its offset from the peer's first byte. */
static inline size_t shared_await(struct shared *s)
{
    struct shared_line *line = &s->in[++s->received & s->mask];
    unsigned times = 0;

    while (atomic_load_explicit(&line->number, memory_order_acquire) != s->received)
        transport_idle(&times, SHARED_PATIENCE);
    return line->at;
}

static inline void shared_recv(struct shared *s, void *to, size_t bytes)
{
    memcpy(to, s->peers + shared_await(s), bytes);
}

#endif
