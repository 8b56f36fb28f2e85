/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iterations.h - the iterations of a batch, as the verbs of loop.h count and time them.
 *
 * Samples go to next[0], next[1], ...  The first of them, next[0], belongs to no iteration of
 * bench_repeat (it ends when the loop begins) and is not used by bench_next.
 *
 * Something may have to be done between two iterations, untimed: other buffers
 * (buffer_pool.h), or to verify the first.  Then bench_repeat starts its stopwatch anew after it.
 */
#ifndef ITERATIONS_H
#define ITERATIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "clock.h"

struct iterations {
    clock_ticks mark;       /* when the sample under way began */
    clock_ticks *next;      /* where it will be stored */
    const clock_ticks *end; /* one past the last sample */
    long until_mark;        /* iterations up to the next reading of the clock */
    long stride;            /* iterations from one reading to the next */
    /* One entry an iteration: 0 where a rank came late to its start, so that it does not
       count; else when the iteration began, or 1 with bench_repeat, which has no start. */
    clock_ticks *begun;
    bool late;                    /* a rank came late to the start of this iteration */
    const clock_ticks *counted;   /* samples before this one are a lead-in */
    void (*between)(void *owner); /* before every iteration; or NULL */
    void *owner;                  /* of the iterations, as who set between sees it */
};

/* Prepare for samples sample[1] ... sample[n], and begun[1] ... begun[n];
   those numbered 0 are scratch. */
static inline void iterations_prepare(struct iterations *l, clock_ticks *sample, clock_ticks *begun,
                                      long n, long stride)
{
    l->next = sample;
    l->end = sample + n + 1;
    l->until_mark = 1;
    l->stride = stride;
    l->mark = 0;
    l->begun = begun;
    l->late = false;
}

/* Do what is to be done between two iterations. */
void iterations_pause(struct iterations *l);

#endif
