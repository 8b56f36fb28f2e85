/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * whole.h - the results of a run of an application: a line, the parts of its
 *           time below it, and both in JSON.
 */
#ifndef WHOLE_H
#define WHOLE_H

#include <stdio.h>

#include "base/fields.h"
#include "call_times.h"
#include "report/report.h"

/* The time of a part in seconds, over the ranks. */
struct share {
    const char *name;
    long calls; /* 0: not an MPI call */
    double mean, max;
    int slowest; /* the rank that has max */
};

struct whole {
    const char *class; /* "A" */
    char size[100];    /* "keys=8388608; ..." */
    int iterations;
    double operations; /* operations of the run, for Mop/s */
    /* The whole run; inside MPI; outside MPI */
    struct share run, inside, outside;
    struct share call[PARTS_MAX]; /* time inside MPI, by call */
    int calls;
};

/* A row of the run; whole_print adds its parts. */
extern const struct report report_whole;

void whole_print(FILE *to, const struct whole *w);

/* The field "application" of the row. */
void whole_record(const struct whole *w, struct fields to);

#endif
