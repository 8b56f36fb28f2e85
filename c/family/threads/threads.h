/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * threads.h - a loop run by several threads of each rank of a pair.
 *
 * Rank 0 has the senders, rank 1 the receivers.  Every thread works on a run of
 * its own: buffers, samples, loop control; nothing that is written is shared.
 * The threads of a rank are made for each batch of laps, begin it together, and
 * have ended when threads_run returns; batches are decided on by the main
 * threads, as for all programs.
 *
 * Every sender makes as many laps.  With at least as many receivers as senders
 * sender t has those of its own whose number is t modulo the senders; with fewer
 * all receivers serve all senders.  Receivers share the messages out equally,
 * beforehand, so none waits for a message that never comes.
 *
 * Sample i of a batch is that of sender i modulo the senders: percentiles are
 * over laps of all threads, and means over all threads' laps.  The first sample
 * of each thread, while others are still being made, is dropped.
 */
#ifndef THREADS_H
#define THREADS_H

#include <pthread.h>

#include "data/flow.h"
#include "loop.h"

struct threads {
    int senders, receivers;
};

/* Run loop in all threads of this rank, for the laps that r is prepared for. */
void threads_run(struct bench_run *r, void (*loop)(struct bench_run *r));

/* Make a thread of this rank; the job ends by E20 if the system refuses it. */
void threads_make(pthread_t *thread, void *(*work)(void *), void *argument);

/* End the job by E20: in the middle of a batch the other rank cannot be asked to
   leave too. */
_Noreturn void threads_refused(void);

/* A block for each thread. */
extern const struct flow flow_threads;

#endif
