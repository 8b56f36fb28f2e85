/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nap.c - no fault: a process that yields its CPU sleeps for FAULT_NAP
 *         microseconds (default 100).
 *
 * Ranks that wait for a slow network poll and yield.  They leave the CPU only to
 * other ranks that poll.  With naps many labs (tests/lab) can share few CPUs, and
 * each iteration takes half a nap longer.
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
