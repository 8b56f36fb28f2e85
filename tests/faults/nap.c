/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nap.c - no fault: who yields the processor sleeps for FAULT_NAP microseconds
 *         (100, unless it says otherwise).
 *
 * Ranks that wait for a slow network poll and yield, and so keep a processor
 * from sleeping, but not from other ranks that poll.  With this many labs
 * (tests/lab) share few processors, and each lap takes half a nap longer.
 */
#include <sched.h>
#include <sys/prctl.h>
#include <time.h>

#include "fault.h"

static struct timespec nap;

__attribute__((constructor)) static void begin(void)
{
    nap.tv_nsec = 1000 * fault_number("FAULT_NAP", 100);
    prctl(PR_SET_TIMERSLACK, 1UL);
}

int sched_yield(void)
{
    return nanosleep(&nap, NULL);
}
