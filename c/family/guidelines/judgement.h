/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * judgement.h - is an operation slower than the same made of others?
 *
 * Operation 0 is the native one, the others are its mock-ups.  All ran in each round, so
 * that the ratio of two times of a round has no part of what lasts longer than it.  Of a
 * mock-up's ratios, native / mock-up, the median is printed; its interval is that of
 * stats.h, which is widened for what neighboring rounds have in common.  With several
 * mock-ups it is wider: all intervals of a row hold together with a confidence of 95 %
 * (Bonferroni), since the best of them is chosen by the same times.
 *
 * A row is violated only if an interval of 99 % lies above the margin: a table has many
 * rows, and a false alarm costs more than a row that stays undecided.
 */
#ifndef GUIDELINES_JUDGEMENT_H
#define GUIDELINES_JUDGEMENT_H

#include <stdbool.h>
#include <stddef.h>

enum { ROUNDS_MOST = 4 }; /* operations */

enum guideline_verdict {
    GUIDELINE_UNDECIDED,
    GUIDELINE_HOLDS,    /* all intervals end below 1 + margin */
    GUIDELINE_VIOLATED, /* that of the best mock-up, of 99 %, begins above it */
};

struct judgement {
    int n;                      /* operations */
    int rounds;                 /* that were judged; 0: all were late */
    double time_s[ROUNDS_MOST]; /* medians over rounds; NAN: all were late */
    struct guideline_ratio {
        double median;
        bool has_interval; /* false: too few rounds */
        double low, high;
        double surely;    /* low with a confidence of 99 %; 0: too few rounds */
    } ratio[ROUNDS_MOST]; /* native / this; of number 0 unused */
    int best;             /* the mock-up with the greatest ratio */
    struct guideline_ratio shown; /* that one's; NAN what is not known */
    enum guideline_verdict is;
};

/* Judge the times of n operations in so many rounds, time[o * stride + k] of operation o
   in round k, in s.  Times below least_s, above 0, count as least_s: the clock does not
   resolve them.  margin: 0.05 for 5 %.  room: for two times so many rounds. */
struct judgement judgement_of(const double *time, int n, int rounds, int stride,
                              double least_s, double margin, double *room);

const char *judgement_word(enum guideline_verdict verdict);

#endif
