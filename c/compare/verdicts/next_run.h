/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * next_run.h - what will the next run of a program show?
 *
 * An interval for one more value, not for the median: it does not get narrower than the
 * runs themselves differ, however many there are.
 */
#ifndef NEXT_RUN_H
#define NEXT_RUN_H

#include "run_groups.h"

enum {
    NEXT_RUN_LEAST = 5, /* least number of runs with an interval */
    NEXT_RUN_RANKS = 39 /* from here on order statistics alone have 95% */
};

enum next_run_by {
    NEXT_RUN_BY_NONE, /* too few runs */
    NEXT_RUN_BY_T,
    NEXT_RUN_BY_GROUPS,
    NEXT_RUN_BY_RANKS
};

struct next_run {
    enum next_run_by by;
    double low, high; /* in the unit of the values; 0 without an interval */
};

/*
 * The 95% prediction interval of values whose logarithms are sorted[0..n-1], one for each
 * run.  The runs are taken to be exchangeable: in no order, and the next one is like them.
 *
 * From NEXT_RUN_RANKS runs on: the order statistics of rank 0.025 (n + 1) and
 * 0.975 (n + 1), interpolated.  Of the next run P(X <= x_(k)) = k / (n + 1) whatever the
 * distribution (Wilks 1941; David and Nagaraja, Order Statistics, 2003, section 7.3;
 * Hyndman and Fan 1996, definition 6).  With fewer runs the widest such interval, from
 * the smallest to the largest run, has (n - 1) / (n + 1) only, 78% with 8 runs, and more
 * takes a model:
 *
 * - mean +- t s sqrt(1 + 1 / n), with n - 1 degrees of freedom, and never less than from
 *   the smallest to the largest run (Hahn and Meeker, Statistical Intervals, 1991,
 *   section 4.7).
 * - two groups of n1 and n2 runs (run_groups_are_two): from the lower end for the lower
 *   group to the upper end for the upper one, mean -+ t s sqrt(1 + 1 / ni), with n - 2
 *   degrees of freedom, s the standard deviation within groups, and a tail of
 *   n / ni times that of one group, since the next run is of this group with
 *   probability ni / n; and also never less than from the smallest to the largest.
 *
 * Both have a tail of 0.025 (1 - 2 / n), not 0.025: the reserve for what a few runs do not
 * show, long tails and rare groups.  tests/unit/test_next_run has the coverage: 93% to 97%,
 * and 92.7% to 97.9% for the worst shapes with eight runs.
 */
struct next_run next_run_of(const double *sorted, size_t n,
                            const struct run_groups *g);

/* "t", "two groups", "order statistics"; NULL without an interval. */
const char *next_run_word(enum next_run_by by);

/* The t of Student's distribution whose upper tail is so large, 0 < tail <= 0.5, with at
   least one degree of freedom: bisection of the finite sums in Abramowitz and Stegun,
   Handbook of Mathematical Functions, 26.7.3 and 26.7.4. */
double student_t(double tail, size_t freedom);

#endif
