/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * startup.h - a family: programs without a loop, which say how MPI was started.
 *
 * There is nothing to measure that is not over by then (job/startup.h): title,
 * the program's line, and with -f the steps of starting.
 */
#ifndef FAMILY_STARTUP_H
#define FAMILY_STARTUP_H

#include "family.h"
#include "job/startup.h"
#include "report/report.h"

/* A step of starting, in seconds, over the ranks. */
struct step {
    const char *name;
    double mean, min, max;
};

struct steps {
    int n; /* 0: they are not looked at */
    struct step step[STARTUP_STEPS];
    double tick_s; /* what the step before MPI_Init is counted in */
};

static inline struct steps *steps_of(const struct result *result)
{
    return result->family;
}

extern const struct family startup_family;

/* The time of MPI_Init and the steps; the number of ranks. */
extern const struct report report_init, report_hello;

#endif
