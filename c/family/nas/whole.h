/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * whole.h - what became of a run of an application: a line, the parts of its
 *           time below it, and both in JSON.
 */
#ifndef WHOLE_H
#define WHOLE_H

#include <stdio.h>

#include "base/fields.h"
#include "call_times.h"
#include "report/report.h"

/* Seconds of a part, over the ranks. */
struct share {
    const char *name;
    long calls; /* 0: it is no call */
    double mean, max;
    int slowest; /* the rank of max */
};

struct whole {
    const char *class; /* "A" */
    char size[100];    /* "keys=8388608; ..." */
    int iterations;
    double operations;                 /* for Mop/s */
    struct share run, inside, outside; /* all; in MPI; not */
    struct share call[PARTS_MAX];      /* inside, by call */
    int calls;
};

/* A row of the run; whole_print adds its parts. */
extern const struct report report_whole;

void whole_print(FILE *to, const struct whole *w);

/* The field "application" of the row. */
void whole_record(const struct whole *w, struct fields to);

#endif
