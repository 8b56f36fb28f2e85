/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * burner.c - a CPU that does other work at known moments.
 *
 *   FAULT_PERIOD  every so many us the rank FAULT_RANK loses FAULT_US of its time
 *
 * Each reading of the clock is 1 ms after the one before, on every rank.  So nothing else
 * takes time from a rank, however busy the machine is.
 */
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "fault.h"

enum { S = 1000000000, STEP = 1000000 }; /* ns */

/* The kernel's clock is no TSC, which cannot be disturbed. */
FILE *fopen(const char *path, const char *mode)
{
    static FILE *(*next)(const char *, const char *);

    if (next == NULL)
        *(void **)&next = dlsym(RTLD_NEXT, "fopen");
    return strstr(path, "clocksource") != NULL ? NULL : next(path, mode);
}

/* What the rank has lost by then. */
static int64_t lost_by(int64_t ns)
{
    static int64_t due, lost;
    const int64_t period = 1000 * fault_number("FAULT_PERIOD", 0);

    if (period == 0 || fault_rank() != fault_number("FAULT_RANK", 1))
        return 0;
    if (due == 0)
        due = ns + period;
    if (ns + lost > due) {
        due += period;
        lost += 1000 * fault_number("FAULT_US", 0);
    }
    return lost;
}

int clock_gettime(clockid_t clock, struct timespec *t)
{
    static int (*next)(clockid_t, struct timespec *);
    static int64_t now;
    int64_t ns;

    if (next == NULL)
        *(void **)&next = dlsym(RTLD_NEXT, "clock_gettime");
    if (clock != CLOCK_MONOTONIC)
        return next(clock, t);
    now += STEP;
    ns = now + lost_by(now);
    t->tv_sec = ns / S;
    t->tv_nsec = ns % S;
    return 0;
}
