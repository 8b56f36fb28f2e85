/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * period.h - the period of detours, where it is clear.  No MPI.
 *
 * A period is looked for among the longest 12, 15, 18, 23, ... detours, so that many
 * short ones cannot hide a few long ones.  Each set takes two tests:
 *
 * 1. The Rayleigh test for every frequency: m detours at random moments have
 *    |sum exp(2 pi i f t)|^2 / m above z with probability exp(-z) (Mardia and Jupp,
 *    Directional Statistics, section 6.3.1; as a search over frequencies: Leahy et al.,
 *    Astrophysical Journal 272, 1983).  z is so high that random moments pass in 1 of
 *    100 series, all frequencies and sets together.  Of a frequency and its multiples,
 *    the lowest with half the power of the highest counts.  Detours less than 10% of the
 *    period apart are then one, and are tested again.
 * 2. The autocorrelation, as long bursts at random moments pass the first test: at least 60%
 *    of the detours have another one a period later, within 10% of the period, and so
 *    many more than have one half a period or one and a half later that the
 *    difference is at least 40% of all.
 *
 * There are at least PERIOD_TIMES periods in the series, and PERIOD_QUANTA quanta in a
 * period.
 */
#ifndef NOISE_PERIOD_H
#define NOISE_PERIOD_H

#include <stdbool.h>

enum {
    PERIOD_TIMES = 8,
    PERIOD_QUANTA = 4,
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
 * The period that explains most of the lost time.  detour[0..n-1] are in order of time,
 * in a series of total_s with quanta of quantum_s.  false: out of memory.
 */
bool period_find(const struct detour *detour, long n, double quantum_s,
                 double total_s, struct period *out);

#endif
