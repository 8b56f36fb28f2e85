/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock.h - the one clock of a run, and what reading it costs.
 *
 * clock_now() is the only part of the harness that runs inside timed regions.
 * It returns raw ticks; seconds are made of them after the loop.
 *
 * Tests compile with CLOCK_FAKE and provide clock_now() themselves.
 */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>
#include <time.h>

/* Nanoseconds since an arbitrary point, never stepping back. */
typedef uint64_t clock_ticks;

#ifdef CLOCK_FAKE
clock_ticks clock_now(void);
#else
static inline clock_ticks clock_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (clock_ticks)t.tv_sec * 1000000000u + (clock_ticks)t.tv_nsec;
}
#endif

static inline double clock_seconds(clock_ticks ticks)
{
    return 1e-9 * (double)ticks;
}

/* What the clock itself contributes to a sample. */
struct clock_facts {
    const char *name;
    double resolution_s; /* smallest difference that was seen, not zero */
    double cost_s;       /* median time from one read to the next */
    double cost_p99_s;   /* its 99th percentile */
};

/* Read the clock some 20,000 times (about a millisecond) and describe it. */
struct clock_facts clock_describe(void);

#endif
