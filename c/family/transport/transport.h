/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * transport.h - layers below MPI, which programs measure in its place: memory
 *               that two processes share, TCP, UCX.
 *
 * MPI starts the two ranks, and carries what either must know of the other to
 * connect; between two readings of the clock it has no part.  The loops call
 * what shared.h, tcp.h and ucx.h declare.
 */
#ifndef TRANSPORT_H
#define TRANSPORT_H

#include <sched.h>

#include "memory/memory.h"
#include "base/messages.h"
#include "loop.h"
#include "job/world.h"

struct transport {
    const char *missing; /* the library that configure did not find, or NULL */
    bool one_node;       /* only there */
    const struct memory_kind *memory; /* of the send buffers */

    /* Connect with r->peer; say in r->over by what.  false: why[] says what
       failed.  Collective, and end follows in any case. */
    bool (*begin)(struct bench_run *r, const struct buffer *send, MPI_Comm comm,
                  bool one_node, char *why, size_t room);
    void (*end)(struct bench_run *r, MPI_Comm comm);
};

extern const struct transport transport_shared, transport_tcp, transport_ucx;

/* Connect all ranks; alike on all of them: EXIT_OK, or the code to leave with,
   said why. */
enum exit_code transport_begin(const struct transport *t, struct bench_run *r,
                               const struct buffer *send,
                               const struct world *world, bool one_node,
                               const char *program);

/* In the middle of a lap a connection has failed: end the job. */
_Noreturn void transport_lost(const char *why);

/* A loop that waits has found nothing, once more.  After so many times - longer
   than a message takes, shorter than a time slice - somebody else may need the
   processor. */
static inline void transport_idle(unsigned *times, unsigned many)
{
    if (__builtin_expect(++*times == many, 0)) {
        *times = 0;
        sched_yield();
    }
}

#endif
