/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * moments.h - are these moments a period apart?  No MPI.
 *
 * The tests of period.h for one set of detours and one candidate.
 */
#ifndef NOISE_MOMENTS_H
#define NOISE_MOMENTS_H

#include <stdbool.h>

struct moments {
    double *at_s; /* rising */
    long n;
    double span_s;    /* of the series that they are from */
    double quantum_s; /* they are known no better */
};

/* As parts of a period: less apart is a burst; less from a period apart is regular. */
static const double MOMENTS_NEAR = 0.1;

/* Leave the first of those that follow each other at once: a burst is one.  Returns the
   power of the others at that period. */
double moments_leave_bursts_out(struct moments *s, double period_s);

/* The tenth of a period in which most periods have one of them. */
struct pulse {
    double period_s, begin_s;
    double length_s; /* a tenth, or more where neighbors are taken as well */
    /* - log of the probability that so many periods have one there, if each has one by the
       share of the other tenths; 0: less than 60% of the periods have one, or nearly as
       many have one in another tenth. */
    double rarity;
};

struct pulse moments_pulse(const struct moments *s, double period_s);
bool moments_in_pulse(const struct pulse *p, double at_s);

/* Do they follow each other in that period, and not in half of it? */
bool moments_are_regular(const struct moments *s, double period_s);

/* A better value of the period: the slope of a line through those near the mean phase. */
double moments_refine(const struct moments *s, double period_s);

/* How far from a period apart they are, nearly all, in seconds: the less, the less of
   other detours is near them. */
double moments_near(const struct moments *s, double period_s);

/* Is one of them a period or two earlier or later than at_s plus or minus apart_s, within
   near_s? */
bool moments_have_beside(const struct moments *s, double at_s, double apart_s,
                         double period_s, double near_s);

#endif
