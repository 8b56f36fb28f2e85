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
 * The periods of detours, where they are clear.
 *
 * The test is Rayleigh's: each detour is a vector, as long as the time that it lost, at its
 * phase in the period.  Their sum squared, by what chance gives on average, is z, and
 * chance gives z or more with the probability exp(-z) (Mardia and Jupp, Directional
 * Statistics, 6.3.1).  What happens within one period is one vector, so that a burst of
 * other work counts once; chance gives the sum of the squares of these, or of the detours
 * if that is more.  z is clear where chance gives it once in 100 series, for all frequencies
 * and bands together.
 *
 * A few long detours would hide many short ones, and many short ones a few long ones.  So
 * they are looked at in bands: detours of a least duration count for at most four times
 * that.
 *
 * The pulse is the part of a period that has the detours; it is halved as long as it
 * keeps all that is not by chance, as seen half a period later, and a line through its
 * detours gives the period.  What it lost, less chance, is the share of the period; it is
 * taken out, and what is left is searched again.
 *
 * There are at least PERIOD_TIMES periods in the series, and PERIOD_QUANTA quanta in a
 * period.
 */

enum {
    PERIOD_TIMES = 8,
    PERIOD_QUANTA = 8,
    PERIODS_MOST = 3,
    PERIOD_MOST = 2048 /* detours in a band; if it has more, the first ones */
};

/* What the CPU did in place of the rank's work. */
struct detour {
    double at_s, lost_s; /* beginning, from that of the series; duration */
};

struct period {
    double period_s; /* 0: none is clear */
    double lost_s;   /* of detours with this period, without what chance puts there */
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

/* Describe took_s[0..n-1], the durations of quanta that follow each other. */
void detours_of(const double *took_s, long n, struct detours *out);

#endif
