/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * period.h - the periods of detours, where they are clear.  No MPI.
 *
 * A period is looked for among the longest 12, 15, 18, 23, ... detours, so that many
 * short ones cannot hide a few long ones.  The frequency with most power in the Rayleigh
 * periodogram, |sum exp(2 pi i f t)|^2 / m for m detours, is the candidate of a set (Leahy
 * et al., Astrophysical Journal 272, 1983); of a frequency and its multiples, the lowest
 * with half the power of the highest.  The series is folded at the candidate, and at two and
 * three times as long a period.  It is a period if one tenth of it has detours in at least 60%
 * of the periods, in 25% more of them than any other tenth, and in so many as, by the binomial
 * distribution, would be rare if it were like the other tenths on average: 1 in 100 for all
 * frequencies and sets together.  Each period counts once, so that a burst of other work
 * does not.
 *
 * The period is then the slope of a line through those near the mean phase.  Its share is
 * that of all detours in the tenth, less what chance puts there, as seen half a period
 * later.  They are taken out, and what is left is searched again.
 *
 * There are at least PERIOD_TIMES periods in the series, and PERIOD_QUANTA quanta in a
 * period.
 */
#ifndef NOISE_PERIOD_H
#define NOISE_PERIOD_H

#include <stdbool.h>

enum {
    PERIOD_TIMES = 8,
    PERIOD_QUANTA = 8,
    PERIODS_MOST = 3,
    PERIOD_LEAST = 12, /* detours */
    PERIOD_MOST = 2048 /* in a set; more are also looked at in a shorter time */
};

/* What the CPU did in place of the rank's work. */
struct detour {
    double at_s, lost_s; /* beginning, from that of the series; duration */
};

struct period {
    double period_s; /* 0: none is clear */
    double
        lost_s; /* of detours with this period, without what chance puts there */
};

/*
 * The periods that explain most of the lost time, the first of all detours, each other one
 * of those that are left; period_s 0: no more.  detour[0..n-1] are in order of time, in a
 * series of total_s with quanta of quantum_s; they are not the same afterwards.  false: out
 * of memory.
 */
bool period_find(struct detour *detour, long n, double quantum_s,
                 double total_s, struct period out[PERIODS_MOST]);

#endif
