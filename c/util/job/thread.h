/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * thread.h - further threads of a rank, which are made in the middle of a batch:
 *            there the other ranks cannot be asked to leave too.
 */
#ifndef THREAD_H
#define THREAD_H

#include <pthread.h>

/* Make a thread; the job ends by E20 if the system refuses it. */
void thread_make(pthread_t *thread, void *(*work)(void *), void *argument);

/* End the job by E20: memory that a thread needs was refused. */
_Noreturn void thread_refused(void);

#endif
