/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iterations.h - loop control that is also the stopwatch.
 *
 * Everything here is inline and runs inside, or right around, timed regions;
 * nothing else of the harness does.  Two verbs for two kinds of loops:
 *
 *   iterations_repeat  the loop holds nothing but the measured operation.  The time from
 *                      one clock reading to the next is a sample, so samples add up to
 *                      the duration of the loop.  Only every stride-th iteration reads
 *                      the clock: a sample is then the time of stride iterations.
 *   iterations_next    something untimed stands in the loop too (bringing the ranks
 *                      together): iterations_start and iterations_stop enclose what is
 *                      timed.
 *
 * Samples go to next[0], next[1], ...  The first of them, next[0], belongs to
 * no iteration of iterations_repeat (it ends when the loop begins) and is not used by
 * iterations_next.
 *
 * Something may have to be done between two iterations, untimed: other buffers
 * (buffer_pool.h), or to verify the first.  Then iterations_repeat starts its stopwatch anew
 * after it.
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
       count; else when the iteration began, or 1 with iterations_repeat, which has no start. */
    clock_ticks *begun;
    bool late; /* a rank came late to the start of this iteration */
    const clock_ticks *counted;   /* samples before this one are a lead-in */
    void (*between)(void *owner); /* before every iteration; or NULL */
    void *owner; /* of the iterations, as who set between sees it */
};

/* Prepare for samples sample[1] ... sample[n], and begun[1] ... begun[n];
   those numbered 0 are scratch. */
static inline void iterations_prepare(struct iterations *l, clock_ticks *sample,
                                      clock_ticks *begun, long n, long stride)
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

static inline bool iterations_repeat(struct iterations *l)
{
    if (__builtin_expect(--l->until_mark != 0, 1))
        return true;

    const clock_ticks now = clock_now();

    *l->next = now - l->mark;
    l->mark = now;
    l->until_mark = l->stride;
    if (__builtin_expect(l->between != NULL, 0)) {
        *l->begun++ = l->late ? 0 : 1;
        iterations_pause(l);
        l->mark = clock_now();
    }
    return ++l->next < l->end;
}

/* Is this the last iteration?  Asked in the body of a loop of iterations_repeat. */
static inline bool iterations_last(const struct iterations *l)
{
    return l->until_mark == 1 && l->next + 1 == l->end;
}

static inline bool iterations_next(struct iterations *l)
{
    if (__builtin_expect(l->between != NULL, 0))
        iterations_pause(l);
    l->begun++;
    return ++l->next < l->end;
}

static inline void iterations_start(struct iterations *l)
{
    l->mark = clock_now();
}

/* What lay between two readings of the clock since iterations_start is no part of the iteration. */
static inline void iterations_leave_out(struct iterations *l, clock_ticks from,
                                        clock_ticks to)
{
    l->mark += to - from;
}

static inline void iterations_stop(struct iterations *l)
{
    *l->next = clock_now() - l->mark;
    *l->begun = l->late ? 0 : l->mark;
}

#endif
