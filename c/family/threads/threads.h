/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * threads.h - a loop run by several threads of each rank of a pair: latency_mt,
 *             mbw_mr_mt (streams.h).
 *
 * Rank 0 has the senders, rank 1 the receivers.  Every thread works on a run of
 * its own: buffers, samples, loop control; nothing that is written is shared.
 * The threads of a rank are created for each batch of iterations, begin it together,
 * and have ended when threads_run returns.  The main threads decide on batches, as in
 * all programs.
 *
 * Every sender runs the same number of iterations.  If there are at least as many
 * receivers as senders, sender t has its own receivers: those whose number is t
 * modulo the senders.  If there are fewer, all receivers serve all senders.  The
 * messages are divided equally among the receivers in advance, so none waits for
 * a message that never comes.
 *
 * Sample i of a batch is that of sender i modulo the senders: percentiles and
 * means are over the iterations of all threads.  The first sample of each thread is
 * dropped, since other threads are still being created.
 */
#ifndef THREADS_H
#define THREADS_H

#include "data/flow.h"
#include "family.h"
#include "loop.h"
#include "options/settings.h"
#include "report/report.h"

enum { THREADS_MOST = 1024 }; /* of a rank */

struct threads_settings {
    int side[2]; /* threads of the sender and of the receiver */
};

static inline const struct threads_settings *
threads_settings(const struct settings *s)
{
    return s->family;
}

/* Where a row with threads as its parameter has its base: speed-up is relative to it. */
struct threads_base {
    enum element type;
    size_t bytes;
    double rate; /* messages per second */
};

struct threads {
    int senders, receivers;
    /* Of streams, else 0. */
    bool streams;   /* samples are stretched to the time of all threads */
    int apart;      /* enum apart: what keeps messages of threads apart */
    MPI_Comm *comm; /* one for each thread, or one for all; NULL: run->comm */
    int comms;      /* number of them */
    struct threads_base *base;
    int bases;
    double speed_up; /* of the row; NAN: not known */
};

static inline struct threads *threads_of(const struct bench_run *r)
{
    return r->family;
}

/* Run loop in all threads of this rank, for the iterations that r is prepared
   for. */
void threads_run(struct bench_run *r, void (*loop)(struct bench_run *r));

/* A block for each thread. */
extern const struct flow flow_threads;

/* Half a round trip, after lines that count the threads. */
extern const struct report report_threads;

extern const struct family threads_family;

#endif
