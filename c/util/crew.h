/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * crew.h - several threads of a rank that do one thing in shares, lap by lap: the
 *          caller's own thread, number 0, and others.
 *
 *     crew_wake(c);        the others begin their shares
 *     share(r, 0);         and so does the caller
 *     crew_wait(c);        until all are done
 *
 * The others are there from crew_begin to crew_end, a batch of laps; between two
 * shares they poll, as those of OpenMP do, and let others run after a
 * thousand looks.  With one thread there are none, and both verbs cost a comparison.
 */
#ifndef CREW_H
#define CREW_H

#include <stdatomic.h>

#include "run.h"

enum { CREW_LINE = 128 }; /* bytes that no two threads write to */

struct crew {
    struct bench_run *run;
    void (*share)(struct bench_run *r, int thread);
    struct crewman *other;
    int others;
    bool ended;
    _Alignas(CREW_LINE) atomic_uint round; /* shares begun */
    _Alignas(CREW_LINE) atomic_int busy; /* others that have not ended theirs */
};

/* Returns when all threads are there; ends the job by E20 if one is refused. */
void crew_begin(struct crew *c, struct bench_run *r, int threads,
                void (*share)(struct bench_run *r, int thread));
void crew_end(struct crew *c);

void crew_await(const struct crew *c); /* that no other is busy */

static inline void crew_wake(struct crew *c)
{
    if (c->others == 0)
        return;
    atomic_store_explicit(&c->busy, c->others, memory_order_relaxed);
    atomic_fetch_add_explicit(&c->round, 1, memory_order_release);
}

static inline void crew_wait(struct crew *c)
{
    if (c->others > 0)
        crew_await(c);
}

#endif
