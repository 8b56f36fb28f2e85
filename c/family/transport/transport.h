/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * transport.h - three families: layers below MPI, which programs measure in its
 *               place.  Memory that two processes share, TCP, UCX.
 *
 * MPI starts the two ranks, and carries what either must know of the other to
 * connect; between two readings of the clock it has no part.  The loops call
 * what shared.h, tcp.h and ucx.h declare, each with a family and its state, which
 * begins with a struct transport.
 */
#ifndef TRANSPORT_H
#define TRANSPORT_H

#include <sched.h>

#include "family.h"
#include "job/world.h"
#include "loop.h"
#include "memory/memory.h"
#include "report/report.h"

struct transport {
    char over[80]; /* what messages go over, in words, once connected */
};

static inline struct transport *transport_of(const struct bench_run *r)
{
    return r->family;
}

extern const struct family transport_shared_family, transport_tcp_family,
    transport_ucx_family;

/* Half a round trip, and the payload of a window by its time. */
extern const struct report report_transport_latency, report_transport_bandwidth;

/* --- For the three ------------------------------------------------------------ */

/* Did every rank connect?  EXIT_OK, or the code to leave with; the first rank
   that did not says why.  Collective. */
enum exit_code transport_agree(const struct context *c, bool good,
                               const char *why);

/* In the middle of a lap a connection has failed: end the job. */
_Noreturn void transport_lost(const char *why);

/* Hooks: the send buffers are in host memory; what messages go over, in JSON. */
const struct memory_kind *transport_host_memory(const struct bench *b);
void transport_method(const struct context *c, struct fields *to);

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
