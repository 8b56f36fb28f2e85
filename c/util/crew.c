/* SPDX-License-Identifier: BSD-3-Clause */
#include "crew.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "gpu.h"
#include "threads.h"

struct crewman {
    struct crew *crew;
    int number;
    pthread_t thread;
};

enum { PATIENCE = 1000 }; /* looks, until others may run */

void crew_await(const struct crew *c)
{
    for (long n = 1; atomic_load_explicit(&c->busy, memory_order_acquire) > 0;
         n++)
        if (n % PATIENCE == 0)
            sched_yield();
}

static void await_round(struct crew *c, unsigned round)
{
    for (long n = 1;
         atomic_load_explicit(&c->round, memory_order_acquire) != round; n++)
        if (n % PATIENCE == 0)
            sched_yield();
}

static void *work(void *argument)
{
    const struct crewman *mine = argument;
    struct crew *c = mine->crew;

    gpu_join();
    /* Round 1 is to be there, and the last one to leave. */
    for (unsigned round = 1;; round++) {
        await_round(c, round);
        if (c->ended)
            return NULL;
        if (round > 1)
            c->share(c->run, mine->number);
        atomic_fetch_sub_explicit(&c->busy, 1, memory_order_release);
    }
}

void crew_begin(struct crew *c, struct bench_run *r, int threads,
                void (*share)(struct bench_run *r, int thread))
{
    *c = (struct crew){ .run = r, .share = share, .others = threads - 1 };
    if (c->others == 0)
        return;
    c->other = calloc((size_t)c->others, sizeof *c->other);
    if (c->other == NULL)
        threads_refused();
    for (int i = 0; i < c->others; i++) {
        c->other[i] = (struct crewman){ .crew = c, .number = i + 1 };
        threads_make(&c->other[i].thread, work, &c->other[i]);
    }
    crew_wake(c);
    crew_wait(c);
}

void crew_end(struct crew *c)
{
    c->ended = true;
    crew_wake(c);
    for (int i = 0; i < c->others; i++)
        pthread_join(c->other[i].thread, NULL);
    free(c->other);
}
