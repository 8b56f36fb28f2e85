/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * laps.h - loop control that is also the stopwatch.
 *
 * Everything here is inline and runs inside, or right around, timed regions;
 * nothing else of the harness does.  Two verbs for two kinds of loops:
 *
 *   laps_lap     the loop holds nothing but the measured operation.  The time
 *                from one clock reading to the next is a sample, so samples
 *                add up to the duration of the loop.  Only every stride-th lap
 *                reads the clock: a sample is then the time of stride laps.
 *   laps_next    something untimed stands in the loop too (bringing the ranks
 *                together): laps_start and laps_stop enclose what is timed.
 *
 * Samples go to next[0], next[1], ...  The first of them, next[0], belongs to
 * no lap of laps_lap (it ends when the loop begins) and is not used by
 * laps_next.
 *
 * Something may have to be done between two laps, untimed: other buffers
 * (buffer_pool.h), or to verify the first.  Then laps_lap starts its stopwatch anew after it.
 */
#ifndef LAPS_H
#define LAPS_H

#include <stdbool.h>
#include <stddef.h>

#include "clock.h"

struct laps {
    clock_ticks mark;       /* when the sample under way began */
    clock_ticks *next;      /* where it will be stored */
    const clock_ticks *end; /* one past the last sample */
    long until_mark;        /* laps up to the next reading of the clock */
    long stride;            /* laps from one reading to the next */
    /* One entry a lap: 0 where a rank came late to its start, so that it does not
       count; else when the lap began, or 1 with laps_lap, which has no start. */
    clock_ticks *begun;
    bool late;                  /* a rank came late to the start of this lap */
    const clock_ticks *counted; /* samples before this one are a lead-in */
    void (*between)(void *owner); /* before every lap; or NULL */
    void *owner;                  /* of the laps, as who set between sees it */
};

/* Prepare for samples sample[1] ... sample[n], and begun[1] ... begun[n];
   those numbered 0 are scratch. */
static inline void laps_prepare(struct laps *l, clock_ticks *sample,
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

/* Do what is to be done between two laps. */
void laps_pause(struct laps *l);

static inline bool laps_lap(struct laps *l)
{
    if (__builtin_expect(--l->until_mark != 0, 1))
        return true;

    const clock_ticks now = clock_now();

    *l->next = now - l->mark;
    l->mark = now;
    l->until_mark = l->stride;
    if (__builtin_expect(l->between != NULL, 0)) {
        *l->begun++ = l->late ? 0 : 1;
        laps_pause(l);
        l->mark = clock_now();
    }
    return ++l->next < l->end;
}

/* Is this the last lap?  Asked in the body of a loop of laps_lap. */
static inline bool laps_last(const struct laps *l)
{
    return l->until_mark == 1 && l->next + 1 == l->end;
}

static inline bool laps_next(struct laps *l)
{
    if (__builtin_expect(l->between != NULL, 0))
        laps_pause(l);
    l->begun++;
    return ++l->next < l->end;
}

static inline void laps_start(struct laps *l)
{
    l->mark = clock_now();
}

/* What lay between two readings of the clock since laps_start is no part of the lap. */
static inline void laps_leave_out(struct laps *l, clock_ticks from,
                                  clock_ticks to)
{
    l->mark += to - from;
}

static inline void laps_stop(struct laps *l)
{
    *l->next = clock_now() - l->mark;
    *l->begun = l->late ? 0 : l->mark;
}

#endif
