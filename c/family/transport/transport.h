/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * transport.h - three families of transport baselines, measured instead of MPI:
 *               shared memory, TCP, UCX.
 *
 * MPI starts the two ranks, and exchanges what they need to connect; no MPI call is inside the
 * timed region.  The loops call the functions below.  Each transport has a family and its state,
 * which begins with a struct transport.
 */
#ifndef TRANSPORT_H
#define TRANSPORT_H

#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "data/memory.h"
#include "family.h"
#include "job/world.h"
#include "loop.h"
#include "report/report.h"

struct transport {
    char over[80]; /* the transport in words, once connected */
};

FAMILY_OF(bench_run, struct transport, transport_of)

extern const struct family transport_shared_family, transport_tcp_family, transport_ucx_family;

/* Half a round trip; the bandwidth of a window. */
extern const struct report report_transport_latency, report_transport_bandwidth;

/* --- For the three ------------------------------------------------------------ */

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

/* --- Shared memory ------------------------------------------------------------------- */

/*
 * Two processes of one node that pass messages through memory which
 * both have mapped.
 *
 * The receiver can read the sender's memory.  To send, a process writes the
 * place of the message and then its number (release) into a cache line that the
 * receiver polls.  To receive, a process waits for that number (acquire), and
 * copies the message into its own memory.  So a message costs the transfer of
 * one cache line from core to core, and one copy.  No MPI library can do with
 * less.
 *
 * The lines form a ring that only one of the processes writes; it has room for
 * a window.  A receiver must acknowledge a window before the sender continues,
 * as the loops do.
 */
/* Two lines, since processors fetch them in pairs. */
enum { SHARED_LINE = 128, SHARED_PATIENCE = 1 << 14 };

struct shared_line {
    /* Number of the message; 0: none yet */
    _Alignas(SHARED_LINE) atomic_ulong number;
    size_t at; /* offset from the sender's first byte */
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
    /* Memory of the peer: its ring, its send buffer */
    struct memory_share share[2];
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

/* --- TCP ----------------------------------------------------------------------------- */

/*
 * Messages between two processes over one TCP connection.
 *
 * Rank 1 listens on one address, sends it to rank 0 by MPI, and rank 0 connects;
 * either gives up after five seconds.  The address is what ALIDADE_TCP_ADDRESS
 * names in the environment of rank 1; otherwise, on one node, 127.0.0.1, and
 * between nodes the first that the resolver has for the name of rank 1's host.  Where
 * it has none, or that of the loopback, the address is that of an interface.
 * transport.over names it.  Small messages are not held back (TCP_NODELAY).
 *
 * Either side polls, as MPI libraries do: a process that sleeps until data come
 * is woken up some microseconds later.  A stream has no messages without bytes:
 * one byte stands for them.
 */
struct tcp {
    struct transport transport;
    int socket; /* -1: none */
};

FAMILY_OF(bench_run, struct tcp, tcp_of)

/* Send a whole message, until the kernel has it; receive one, until all of it
   is here. */
void tcp_send(struct tcp *t, const void *message, size_t bytes);
void tcp_recv(struct tcp *t, void *to, size_t bytes);

/* --- UCX ----------------------------------------------------------------------------- */

/*
 * Tagged messages of UCX between two processes: ucp_tag_send_nbx and
 * ucp_tag_recv_nbx.
 *
 * Message i of a window is under way from ucx_send or ucx_recv on, until
 * ucx_wait has seen it done.  UCX chooses its transports itself, or follows UCX_TLS
 * and UCX_NET_DEVICES in the environment, as it does for an MPI library.  If
 * configure did not find UCX, the family only reports that.
 */
struct ucx;

FAMILY_OF(bench_run, struct ucx, ucx_of)

/* i: from 0 to r->window, which is one more than a window has. */
void ucx_send(struct ucx *u, int i, const void *message, size_t bytes);
void ucx_recv(struct ucx *u, int i, void *to, size_t bytes);

/* Wait for n messages, from number first on. */
void ucx_wait(struct ucx *u, int first, int n);

#endif
