/* SPDX-License-Identifier: BSD-3-Clause */
#include "partitions.h"

#include <sched.h>
#include <stdlib.h>

#include "gpu/gpu.h"
#include "base/shuffle.h"
#include "threads/threads.h"

enum { PATIENCE = 1000 }; /* looks, until others may run */

bool partitions_begin(struct partitions *p, const struct settings *s)
{
    const int n = s->partitions;
    uint64_t state = s->ready_seed;

    p->n = n;
    p->threads = s->ready_threads;
    p->order = malloc((size_t)n * sizeof *p->order);
    if (p->order == NULL)
        return false;
    for (int i = 0; i < n; i++)
        p->order[i] = s->ready == ORDER_DOWN ? n - 1 - i : i;
    for (int i = n - 1; s->ready == ORDER_RANDOM && i > 0; i--) {
        const int k = (int)shuffle_next(&state, (unsigned long)i + 1);
        const int other = p->order[k];

        p->order[k] = p->order[i];
        p->order[i] = other;
    }
    return true;
}

void partitions_end(struct partitions *p)
{
    free(p->order);
    p->order = NULL;
}

/* All threads wait here for the last of them. */
static void meet(struct partitions *p)
{
    const unsigned meeting = atomic_load(&p->meetings);

    if (p->threads == 1)
        return;
    if (atomic_fetch_add(&p->met, 1) + 1 == p->threads) {
        atomic_store(&p->met, 0);
        atomic_fetch_add(&p->meetings, 1);
        return;
    }
    for (long n = 1; atomic_load(&p->meetings) == meeting; n++)
        if (n % PATIENCE == 0)
            sched_yield();
}

static void *work(void *run)
{
    struct bench_run *r = run;
    struct partitions *p = r->partitions;
    const int number = atomic_fetch_add(&p->numbered, 1) + 1;

    gpu_join();
    for (meet(p);; meet(p)) { /* all are there; then: a message is marked */
        meet(p);
        if (p->mark == NULL)
            return NULL;
        p->mark(r, number);
    }
}

void partitions_threads_begin(struct bench_run *r,
                              void (*mark)(struct bench_run *r, int thread))
{
    struct partitions *p = r->partitions;

    p->mark = mark;
    p->numbered = 0;
    for (int i = 1; i < p->threads; i++)
        threads_make(&p->thread[i], work, r);
    meet(p);
}

void partitions_mark(struct bench_run *r)
{
    meet(r->partitions);
    r->partitions->mark(r, 0);
    meet(r->partitions);
}

void partitions_threads_end(struct bench_run *r)
{
    struct partitions *p = r->partitions;

    p->mark = NULL;
    meet(p);
    for (int i = 1; i < p->threads; i++)
        pthread_join(p->thread[i], NULL);
}
