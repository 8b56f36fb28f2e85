/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * transport.h - three families of transport baselines, measured instead of MPI:
 *               shared memory, TCP, UCX.
 *
 * MPI starts the two ranks, and exchanges what they need to connect; no MPI
 * call is inside the timed region.  The loops call the functions of shared.h,
 * tcp.h and ucx.h.  Each has a family and its state, which begins with a struct
 * transport.
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
    char over[80]; /* the transport in words, once connected */
};

static inline struct transport *transport_of(const struct bench_run *r)
{
    return r->family;
}

extern const struct family transport_shared_family, transport_tcp_family,
    transport_ucx_family;

/* Half a round trip; the bandwidth of a window. */
extern const struct report report_transport_latency, report_transport_bandwidth;

/* --- For the three ------------------------------------------------------------ */

/* Did every rank connect?  Returns EXIT_OK, or the exit code after the first
   rank that did not has said why.  Collective. */
enum exit_code transport_agree(const struct context *c, bool good,
                               const char *why);

/* A connection failed in the middle of an iteration: end the job. */
_Noreturn void transport_lost(const char *why);

/* Hooks of struct family: messages are sent from host memory; the transport in JSON. */
void transport_plan(const struct bench *b, const struct settings *s,
                    struct plan *plan);
void transport_record(const struct context *c, const struct recorded *what,
                      struct fields *to);

/* A waiting loop has polled once more in vain.  After so many polls (longer
   than a message takes, shorter than a time slice) another process may need the
   CPU. */
static inline void transport_idle(unsigned *times, unsigned many)
{
    if (__builtin_expect(++*times == many, 0)) {
        *times = 0;
        sched_yield();
    }
}

#endif
