/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * call_times.h - how much of a long timed region is spent in each MPI call.
 *
 *     part_begin(p);
 *     MPI_Alltoall(...);
 *     part_end(p, EXCHANGE);
 *
 * The clock is read twice for each call, so this is for calls that take long.
 */
#ifndef CALL_TIMES_H
#define CALL_TIMES_H

#include "timing/clock.h"

enum { PARTS_MAX = 4 };

struct parts {
    clock_ticks mark; /* when the call under way began */
    clock_ticks spent[PARTS_MAX];
    long calls[PARTS_MAX];
};

static inline void part_begin(struct parts *p)
{
    p->mark = clock_now();
}

static inline void part_end(struct parts *p, int part)
{
    p->spent[part] += clock_now() - p->mark;
    p->calls[part]++;
}

#endif
