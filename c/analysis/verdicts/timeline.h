/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * timeline.h - did the machine stay the same from run to run?
 *
 * A run is one JSON result file.  Its value here is the median over its rows of
 * the row's time, divided by the median time of that row in all runs of the
 * variant: 1.04 is 4% slower than typical, whatever the benchmark.
 */
#ifndef TIMELINE_H
#define TIMELINE_H

#include "results/row_table.h"

struct timeline_run {
    double seconds; /* seconds since the first run of any variant */
    double ratio;
    int variant;
};

/* The last third of a variant's runs, compared with the first third. */
struct timeline_trend {
    bool known;   /* there are at least TIMELINE_LEAST runs */
    double ratio; /* ratio of the two (Hodges and Lehmann, by logarithms) */
    double p;     /* exact p-value of no difference */
};

enum { TIMELINE_LEAST = 12 };
#define TIMELINE_SIGNIFICANCE 0.01 /* significance level */
/* Least ratio, or its inverse, that matters */
#define TIMELINE_MATTERS 1.02

struct timeline {
    struct timeline_run *run; /* sorted by variant, then time */
    size_t n;
    int variants;
    struct timeline_trend trend[VARIANTS];
};

/* Make the timeline of a table.  Runs whose files do not say when they
   started are left out, and so are rows of which a variant has fewer than three
   runs. */
void timeline_make(struct timeline *t, const struct row_table *table);
void timeline_release(struct timeline *t);

/* Did the variant's runs become slower or faster? */
bool timeline_drifts(const struct timeline *t, int variant);

#endif
