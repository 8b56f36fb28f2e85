/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * next_run.h - what will the next run of a program show, and do its runs fall into two
 *              groups, such as those that got the good pair of cores and those that did not?
 *
 * Values are logarithms, one for each run, so that distances are ratios.
 */
#ifndef NEXT_RUN_H
#define NEXT_RUN_H

#include <stddef.h>

enum {
    NEXT_RUN_LEAST =
        5, /* least number of runs with an interval, or with groups */
    NEXT_RUN_RANKS = 39 /* from here on order statistics alone have 95% */
};

struct next_run {
    const char *by;   /* "t", "order statistics"; NULL: too few runs */
    double low, high; /* in the unit of the values; 0 without an interval */
};

/*
 * The 95% prediction interval of sorted[0..n-1]: an interval for one more value, not for the
 * median.  So it does not get narrower than the runs themselves differ, however many there
 * are.  The runs are taken to be exchangeable: in no order, and the next one is like them.
 *
 * From NEXT_RUN_RANKS runs on: the order statistics of rank 0.025 (n + 1) and
 * 0.975 (n + 1), interpolated.  Of the next run P(X <= x_(k)) = k / (n + 1) whatever the
 * distribution (Wilks 1941; David and Nagaraja, Order Statistics, 2003, section 7.3;
 * Hyndman and Fan 1996, definition 6).  With fewer runs the widest such interval, from
 * the smallest to the largest run, has (n - 1) / (n + 1) only, 78% with 8 runs, and more
 * takes a model: mean +- t s sqrt(1 + 1 / n), with n - 1 degrees of freedom (Hahn and Meeker,
 * Statistical Intervals, 1991, section 4.7).  Its tail is 0.025 (1 - 2 / n), not 0.025: the
 * reserve for what a few runs do not show, long tails and rare groups.
 */
struct next_run next_run_of(const double *sorted, size_t n);

struct run_groups {
    size_t
        lower; /* sorted[0..lower-1] is one group, the rest the other; 0: one group */
    double middle[2]; /* medians of the groups */
};

/*
 * There are two groups if the largest gap between two neighbors, with two runs or more on
 * either side, takes more than 60% of the range of all runs; if n evenly spread runs have
 * such a gap with 1% probability or less, (n - 3) (1 - gap / range)^(n - 2) (Fisher 1929;
 * David and Nagaraja, section 6.4); and if the medians of the groups differ by 2% or more.
 * The gap counts less the smallest difference of two runs, which may be the step of the
 * clock: so a coarse clock makes no groups.  tests/unit/test_verdict has how often one
 * group is taken for two.
 */
struct run_groups run_groups_of(const double *sorted, size_t n);

#endif
