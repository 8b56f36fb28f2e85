/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * timeline.h - did the machine stay the same from run to run?
 *
 * A run is one JSON result file.  Its value here is the median over its rows of
 * the row's time, divided by the median time of that row in all runs of the
 * subject: 1.04 is 4% slower than typical, whatever the benchmark.
 */
#ifndef TIMELINE_H
#define TIMELINE_H

#include "results/launch_rows.h"

struct timeline_launch {
    double seconds; /* seconds since the first run of any subject */
    double ratio;
    int subject;
};

/* The last third of a subject's runs, compared with the first third. */
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
    struct timeline_launch *launch; /* sorted by subject, then time */
    size_t n;
    int subjects;
    struct timeline_trend trend[SUBJECTS];
};

/* Make the timeline of n subjects.  Runs whose files do not say when they
   started are left out, and so are rows of which a subject has fewer than three
   runs. */
void timeline_make(struct timeline *t, const struct subject *subject, int n);
void timeline_release(struct timeline *t);

/* Did the subject's runs become slower or faster? */
bool timeline_drifts(const struct timeline *t, int subject);

#endif
