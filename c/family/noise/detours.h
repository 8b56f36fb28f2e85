/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * detours.h - what a series of equal quanta of work says about one CPU.  No MPI.
 *
 * A quantum is a fixed count of operations, so its shortest duration is that without
 * noise.  A detour is a quantum longer than DETOUR times the median quantum.  It lost what
 * it is longer than that median.
 *
 * Where the CPU changes its clock, or another thread of its core works, quanta are longer
 * without any detour of the operating system.  If the median is longer than DETOUR times
 * the shortest quantum, the series is called slow.
 *
 * For a period, detours that follow each other without a clean quantum between
 * them are one.
 */
#ifndef NOISE_DETOURS_H
#define NOISE_DETOURS_H

#include <stdbool.h>

/*
 * The periods of detours, where they are clear.  No MPI.
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

static const double DETOUR = 1.05;

enum { DETOURS_KEPT = 32 };

/* Plain data without pointers: ranks send it to rank 0. */
struct detours {
    long quanta;
    double total_s;
    double quantum_s, typical_s; /* shortest and median quantum */
    long n;                      /* detours */
    double lost;                 /* their excess, as a part of total_s */
    double per_s, longest_s;     /* longest_s: excess */
    bool slow;
    struct period period[PERIODS_MOST]; /* those found first come first */
    struct detour kept[DETOURS_KEPT];   /* the longest, by time */
    int nkept;
};

/* Describe took_s[0..n-1], the durations of quanta that follow each other.  false: out of
   memory. */
bool detours_of(const double *took_s, long n, struct detours *out);

#endif
