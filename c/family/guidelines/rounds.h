/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rounds.h - the times of several operations that follow each other in an iteration,
 *            each synchronized and timed by itself.
 *
 * A round runs each operation once, in an order that is drawn anew for each round and is
 * the same on all ranks.  So a disturbance that lasts meets all of them, and none always
 * follows the same other one.  The lap has the time of operation 0 alone.
 *
 * Of the rounds of a row at most ROUNDS_KEPT are kept: when there is no more room, every
 * second is dropped, and from then on only every second is kept.
 */
#ifndef ROUNDS_H
#define ROUNDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/simulation.h"
#include "loop.h"

enum {
    ROUNDS_MOST = 4, /* operations */
    ROUNDS_KEPT = SIMULATED ? 256 : 8192
};

struct rounds {
    int n; /* operations */
    int order[ROUNDS_MOST];
    uint64_t state;                /* of the random order */
    clock_ticks *sample;           /* ROUNDS_KEPT for each operation; 0: late */
    clock_ticks took[ROUNDS_MOST]; /* of the round under way */
    clock_ticks mark;
    long seen, stride;
    int kept, before; /* before: of batches before the one under way */
};

/* Memory for rounds of n operations.  false: out of memory. */
bool rounds_begin(struct rounds *t, int n);
void rounds_end(struct rounds *t);

/* A batch has ended: forget what was kept before it, and in it (family.h). */
void rounds_forget(struct rounds *t, bool before, bool batch);

/* A lap begins: draw its order.  Returns the operations to run: all, or the one that
   r->turn names.  Untimed. */
int rounds_draw(struct rounds *t, const struct bench_run *r);

/* Synchronize the ranks for number i of the round, and start its time; returns which
   operation it is.  A round is late if one of its operations is. */
static inline int rounds_start(struct rounds *t, struct bench_run *r, int i)
{
    const bool late = i > 0 && r->laps.late;

    bench_sync(r);
    r->laps.late |= late;
    if (i == 0)
        bench_start(r);
    t->mark = clock_now();
    return t->order[i];
}

static inline void rounds_stop(struct rounds *t, int operation)
{
    t->took[operation] = clock_now() - t->mark;
}

/* The lap is over: keep its times, and leave all but operation 0's out of it. */
void rounds_keep(struct rounds *t, struct bench_run *r);

/* Drop the rounds that are late on any rank, and bring the others together: on rank 0
   time[o * ROUNDS_KEPT + k] becomes the time of operation o in round k on its slowest rank,
   in s.  Returns the number of rounds.  time has room for all on every rank, and blame for
   one number for each rank.  Collective. */
int rounds_gather(struct rounds *t, MPI_Comm comm, double *time, long *blame);

#endif
