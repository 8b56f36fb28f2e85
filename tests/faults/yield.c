/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * yield.c - no fault: lets MPICH over UCX run with more ranks than CPUs.
 *
 * MPICH's ranks poll without ever giving up the CPU, so that a rank that waits
 * keeps the one it waits for from running: each message then takes a time
 * slice.  Here a poll that finds nothing yields, and after some of them sleeps:
 * a rank that only yields still takes half of a CPU from one that works.  It
 * sleeps longer the longer it has found nothing, for a sixteenth of that time:
 * of many ranks that wait for one that hangs, 50 us each take all CPUs.
 *
 * While one rank sits in the barrier of MPI_Finalize it no longer serves the
 * connections that others are still closing to it, and some versions hang.
 * Here a thread goes on polling until the worker is destroyed.
 *
 * Loaded with every MPICH test; it does nothing where MPICH does not use UCX.
 * FAULT_YIELD=0: polls do neither, where ranks have a CPU each and times count.
 */
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#include "fault.h"

unsigned ucp_worker_progress(void *worker);
void *ucp_disconnect_nb(void *endpoint);
void ucp_worker_destroy(void *worker);

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
static pthread_t helper;
static atomic_bool finalizing, stop;
static bool yields;
/* Polls of a thread that found nothing, since it slept or one found something.  With more ranks
   than CPUs, 32 yields before a sleep take 60% more of the CPUs, and the jobs half as long again. */
enum { PATIENCE = 4, SHORTEST_US = 50, LONGEST_US = 200 };
static _Thread_local int idle;
static _Thread_local unsigned slept_us; /* since one found something */
static void *_Atomic polled;

__attribute__((constructor)) static void begin(void)
{
    yields = fault_number("FAULT_YIELD", 1) != 0;
}

static unsigned progress(void *worker)
{
    static unsigned (*next)(void *);

    if (next == NULL)
        *(void **)&next = dlsym(RTLD_NEXT, "ucp_worker_progress");
    return next(worker);
}

static unsigned progress_alone(void *worker)
{
    pthread_mutex_lock(&one_at_a_time);
    const unsigned events = progress(worker);
    pthread_mutex_unlock(&one_at_a_time);
    return events;
}

unsigned ucp_worker_progress(void *worker)
{
    const unsigned events = finalizing ? progress_alone(worker) : progress(worker);

    polled = worker;
    if (events > 0) {
        idle = 0;
        slept_us = 0;
    } else if (yields && ++idle < PATIENCE) {
        sched_yield();
    } else if (yields) {
        unsigned us = SHORTEST_US + slept_us / 16;

        us = us < LONGEST_US ? us : LONGEST_US;
        usleep(us);
        slept_us += us;
        idle = 0; /* a program may test for completion 100,000 times an iteration */
    }
    return events;
}

void *ucp_disconnect_nb(void *endpoint)
{
    void *(*next)(void *), *request;

    *(void **)&next = dlsym(RTLD_NEXT, "ucp_disconnect_nb");
    pthread_mutex_lock(&one_at_a_time);
    request = next(endpoint);
    pthread_mutex_unlock(&one_at_a_time);
    return request;
}

void ucp_worker_destroy(void *worker)
{
    void (*next)(void *);

    if (finalizing && !stop) {
        stop = true;
        pthread_join(helper, NULL);
    }
    *(void **)&next = dlsym(RTLD_NEXT, "ucp_worker_destroy");
    next(worker);
}

static void *keep_polling(void *unused)
{
    (void)unused;
    while (!stop) {
        if (polled != NULL)
            progress_alone(polled);
        usleep(200);
    }
    return NULL;
}

/* Not PMPI_Finalize: this is loaded into scripts too, whose processes need no MPI. */
int MPI_Finalize(void)
{
    int (*next)(void);

    *(void **)&next = dlsym(RTLD_NEXT, "MPI_Finalize");
    finalizing = true;
    if (pthread_create(&helper, NULL, keep_polling, NULL) != 0)
        finalizing = false;
    return next();
}
