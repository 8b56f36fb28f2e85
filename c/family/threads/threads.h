/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * threads.h - a loop run by several threads of each rank of a pair: latency_mt.
 *
 * Rank 0 has the senders, rank 1 the receivers.  Every thread works on a run of
 * its own: buffers, samples, loop control; nothing that is written is shared.
 * The threads of a rank are made for each batch of iterations, begin it together,
 * and have ended when threads_run returns; batches are decided on by the main
 * threads, as for all programs.
 *
 * Every sender makes as many iterations.  With at least as many receivers as
 * senders, sender t has those of its own whose number is t modulo the senders;
 * with fewer all receivers serve all senders.  Receivers share the messages out
 * equally, beforehand, so none waits for a message that never comes.
 *
 * Sample i of a batch is that of sender i modulo the senders: percentiles and
 * means are over the iterations of all threads.  The first sample of each thread,
 * while others are still being made, is dropped.
 */
#ifndef THREADS_H
#define THREADS_H

#include "data/flow.h"
#include "family.h"
#include "loop.h"
#include "options/settings.h"
#include "report/report.h"

struct threads_settings {
    int side[2]; /* threads of the sender and of the receiver */
};

static inline const struct threads_settings *
threads_settings(const struct settings *s)
{
    return s->family;
}

struct threads {
    int senders, receivers;
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
