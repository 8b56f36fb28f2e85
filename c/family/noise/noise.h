/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * noise.h - a family of one program: system noise, and its cost.
 *
 * Part 1: every rank works for --budget in equal quanta (turns.h), alone, and reads
 * the clock after each.  Each rank judges its own series (detours.h) and sends rank 0 a
 * summary.
 *
 * Part 2: an iteration is a quantum and an allreduce of 8 bytes, for a quarter of the
 * duration (turns.h).
 *
 * Rows are printed of the NOISE_ROWS ranks that lost the most; JSON has all.  A line
 * "# Noise:" follows for each rank with a period that takes NOISE_SHARE of its time; a
 * timer tick takes less.  Ranks that share CPUs stop each other, so with W08 no line
 * is printed.
 */
#ifndef NOISE_H
#define NOISE_H

#include "detours.h"
#include "environment/environment.h"
#include "family.h"
#include "loop.h"
#include "report/report.h"
#include "turns.h"

enum { NOISE_ROWS = 64, NOISE_LINES = 16 };
static const double NOISE_SHARE = 0.005;

struct noise_settings {
    double quantum_s, budget_s;
};

/* The quanta of a rank: mark[0] is the beginning, mark[i] the end of quantum i. */
struct quanta {
    long steps;
    clock_ticks *mark;
    long n, room; /* readings; those that there is room for */
    clock_ticks lasts;
};

/* What a rank sends. */
struct noise_rank {
    int cpu; /* at the end; -1: unknown */
    bool moved;
    double tick_s; /* period of the kernel's timer tick; 0: unknown */
    struct detours detours;
};

struct noise {
    struct quanta quanta;
    struct turns turns;
    struct turns_cost cost;
    double shown; /* the cost, or 0 if it is less */
    /* On rank 0 */
    struct environment environment;
    struct noise_rank *rank;
};

static inline struct noise *noise_of(const struct bench_run *r)
{
    return r->family;
}

/* Read the clock.  Does another quantum follow? */
static inline bool noise_goes_on(struct quanta *q)
{
    const clock_ticks now = clock_now();

    progress_moved();
    q->mark[q->n++] = now;
    return q->n < q->room && now - q->mark[0] < q->lasts;
}

extern const struct family noise_family;

extern const struct report report_noise;

#endif
