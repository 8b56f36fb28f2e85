/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * transport.h - three families of transport baselines, measured instead of MPI:
 *               shared memory, TCP, UCX.
 *
 * MPI starts the two ranks, and exchanges what they need to connect; no MPI call is inside the
 * timed region.  Each transport has a header (shared.h, tcp.h, ucx.h) with its family, its state,
 * which begins with a struct transport, and the functions that the loops call.  What the three
 * have in common is here.
 */
#ifndef TRANSPORT_H
#define TRANSPORT_H

#include <sched.h>
#include <stddef.h>

#include "data/memory.h"
#include "family.h"
#include "job/world.h"
#include "loop.h"
#include "report/report.h"

struct transport {
    char over[80]; /* the transport in words, once connected */
};

FAMILY_OF(bench_run, struct transport, transport_of)

/* Half a round trip; the bandwidth of a window. */
extern const struct report report_transport_latency, report_transport_bandwidth;

/* Connect the two ranks, which send from that buffer.  false: why[] says what failed, if it failed
   on this rank. */
typedef bool transport_connection(const struct context *c, const struct buffer *send, char *why,
                                  size_t room);

/* EXIT_OK, or the exit code after the first rank that did not connect has said why.  Collective. */
enum exit_code transport_connect(const struct context *c, const struct buffer *send,
                                 transport_connection *connection);

/* A connection failed in the middle of an iteration: end the job. */
_Noreturn void transport_lost(const char *why);

/* Hooks of struct family: messages are sent from host memory; the transport in JSON. */
void transport_plan(const struct bench *b, const struct settings *s, struct plan *plan);
void transport_record(const struct context *c, const struct recorded *what, struct fields *to);

/* A waiting loop has polled once more in vain.  After so many polls (longer than a message takes,
   shorter than a time slice) another process may need the CPU. */
static inline void transport_idle(unsigned *times, unsigned many)
{
    if (__builtin_expect(++*times == many, 0)) {
        *times = 0;
        sched_yield();
    }
}

#endif
