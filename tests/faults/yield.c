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
 * In MPI_Init ranks of a node wait for each other in a loop that calls nothing, so that
 * with more ranks than CPUs a third of what a start takes is spent there.  Here a clock
 * looks at the thread: if it finds it twice at the same few instructions, the thread sleeps.
 *
 * Loaded with every MPICH test; it does nothing where MPICH does not use UCX.
 * FAULT_YIELD=0: neither polls nor loops do, where ranks have a CPU each and times count.
 */
#include <errno.h>
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
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

#ifdef __x86_64__
/* The most bytes of code of a loop that waits, how often the clock looks, and how long a thread
   that it finds in one sleeps. */
enum { LOOP = 32, LOOK_US = 500, REST_US = 2000 };

static timer_t watch;

static void look_again(void)
{
    const struct itimerspec once = { .it_value.tv_nsec = LOOK_US * 1000 };

    timer_settime(watch, 0, &once, NULL);
}

static void look(int signal, siginfo_t *info, void *context)
{
    static uintptr_t last;
    const uintptr_t now = (uintptr_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    const int error = errno;

    (void)signal, (void)info;
    /* Who waits in the system has just made a system call. */
    if (now - last + LOOP < 2 * LOOP && memcmp((char *)now - 2, "\x0f\x05", 2) != 0)
        usleep(REST_US);
    last = now;
    look_again();
    errno = error;
}

static bool begin_looking(void)
{
    struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMAX - 3 };
    const struct sigaction action = { .sa_sigaction = look, .sa_flags = SA_SIGINFO | SA_RESTART };

    event._sigev_un._tid = (int)syscall(SYS_gettid);
    if (!yields || sigaction(event.sigev_signo, &action, NULL) != 0 ||
        timer_create(CLOCK_MONOTONIC, &event, &watch) != 0)
        return false;
    look_again();
    return true;
}

static void end_looking(bool looks)
{
    if (looks)
        timer_delete(watch);
}
int MPI_Init(int *argc, char ***argv)
{
    int (*next)(int *, char ***), code;

    *(void **)&next = dlsym(RTLD_NEXT, "MPI_Init");
    const bool looks = begin_looking();

    code = next(argc, argv);
    end_looking(looks);
    return code;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    int (*next)(int *, char ***, int, int *), code;

    *(void **)&next = dlsym(RTLD_NEXT, "MPI_Init_thread");
    const bool looks = begin_looking();

    code = next(argc, argv, required, provided);
    end_looking(looks);
    return code;
}

#endif

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
