/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * timeline.h - did the machine stay the same while launches followed each other?
 *
 * A launch is one document.  Its figure here is the median over its rows of its time to
 * the median time that the subject's launches have of that row: 1.04 is 4 % slower than
 * usual, whatever the benchmark.
 */
#ifndef TIMELINE_H
#define TIMELINE_H

#include "launch_rows.h"

struct timeline_launch {
    double seconds; /* since the first launch of any subject */
    double ratio;
    int subject;
};

/* How the last third of a subject's launches compares with the first. */
struct timeline_trend {
    bool known;   /* there are TIMELINE_LEAST launches at least */
    double ratio; /* of the two: Hodges and Lehmann's, by logarithms */
    double p;     /* that both are alike, exact */
};

enum { TIMELINE_LEAST = 12 };
#define TIMELINE_SIGNIFICANCE 0.01 /* p below which it is not chance */
#define TIMELINE_MATTERS      1.02 /* ratio, or its inverse, beyond */

struct timeline {
    struct timeline_launch *launch; /* by subject, then time */
    size_t n;
    int subjects;
    struct timeline_trend trend[SUBJECTS];
};

/* Of n subjects; launches whose documents do not say when they started, and rows of which
   a subject has fewer than three launches, are left out. */
void timeline_make(struct timeline *t, const struct subject *subject, int n);
void timeline_release(struct timeline *t);

/* Did the subject's launches become slower or quicker? */
bool timeline_drifts(const struct timeline *t, int subject);

#endif
