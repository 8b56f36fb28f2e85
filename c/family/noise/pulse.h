/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pulse.h - do these instants come once a period, in one part of it?  No MPI.
 *
 * The test of period.h for one set of detours and one candidate.
 */
#ifndef NOISE_PULSE_H
#define NOISE_PULSE_H

#include <stdbool.h>

struct instants {
    double *at_s; /* rising */
    long n;
    double span_s;    /* of the series that they are from */
    double quantum_s; /* they are known no better */
};

/* The part of a period in which most periods have one of them. */
struct pulse {
    double period_s, middle_s;
    double half_s; /* half of its length */
    /* - log of the probability that so many periods have one there, if each has one by the
       share of the other tenths; 0: less than 60% of the periods have one, or nearly as
       many have one in another tenth. */
    double rarity;
};

/* period_s is at least eight quanta. */
struct pulse pulse_at(const struct instants *s, double period_s);
bool pulse_has(const struct pulse *p, double at_s);

/* A better value of the period: the slope of a line through those near the mean phase. */
double pulse_refine(const struct instants *s, double period_s);

#endif
