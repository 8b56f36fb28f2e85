/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * startup.h - a family: programs without a loop, which report how MPI started.
 *
 * Everything they report was measured while MPI started (job/world.h).  They
 * print a title, the program's line, and with -f the steps of the start.
 */
#ifndef FAMILY_STARTUP_H
#define FAMILY_STARTUP_H

#include "family.h"
#include "job/world.h"
#include "report/report.h"

/* A step of starting, in seconds, over the ranks. */
struct step {
    const char *name;
    double mean, min, max;
};

struct steps {
    int n; /* 0: the steps are not reported */
    struct step step[STARTUP_STEPS];
    double tick_s; /* resolution of the step before MPI_Init, in s */
};

FAMILY_OF(bench_run, struct steps, steps_of)

extern const struct family startup_family;

/* The time of MPI_Init and the steps; the number of ranks. */
extern const struct report report_init, report_hello;

#endif
