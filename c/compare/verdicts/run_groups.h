/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run_groups.h - do the runs of a program fall into two groups, such as those that got
 *                the good pair of cores and those that did not?
 *
 * Values are logarithms, one for each run, so that distances are ratios.
 */
#ifndef RUN_GROUPS_H
#define RUN_GROUPS_H

#include <stdbool.h>
#include <stddef.h>

enum {
    RUN_GROUPS_LEAST =
        5, /* least number of runs; each group has at least two */
    RUN_GROUPS_DRAWS = 20000
};
#define RUN_GROUPS_LEVEL 0.01 /* significance level */
/* Groups whose medians have a smaller ratio do not matter. */
#define RUN_GROUPS_RATIO 1.02

struct run_groups {
    size_t lower;     /* sorted[0..lower-1] is one group, the rest the other */
    double share;     /* what is left of the sum of squares within the groups */
    double p;         /* p-value of one group; 1: too few runs */
    double ratio;     /* exp of the distance between the groups' medians */
    double scatter;   /* standard deviation within the groups */
    double mean[2];   /* of the groups */
    double middle[2]; /* their medians */
};

/* What sets of n runs of one group look like: filled by run_groups_of. */
struct run_groups_null {
    size_t n; /* 0: none yet */
    double share[RUN_GROUPS_DRAWS];
};

/*
 * The best split of sorted[0..n-1] into two groups, and how seldom runs of one group can
 * be split so well.
 *
 * The best split leaves the least sum of squares within the groups (two means); share is
 * that sum relative to the sum about the common mean.  Both get n d^2 / 12 added for
 * rounding, with d the smallest difference of two values: so a coarse clock makes no
 * groups.  p is the share of RUN_GROUPS_DRAWS simulated sets of n log-normal values
 * (sigma 1) whose split is as good, (k + 1) / (draws + 1) (Davison and Hinkley, Bootstrap
 * Methods, 1997, section 4.2).  Log-normal values have a long tail on one side: other
 * shapes with one group (normal, Student's t with 3 degrees of freedom, exponential,
 * normal with outliers) are taken for two groups hardly more often, and mostly less.  The
 * generator is fixed, so that the same runs always have the same p.
 */
struct run_groups run_groups_of(const double *sorted, size_t n,
                                struct run_groups_null *null);

/* Two groups: p is at most the significance level, and the ratio matters. */
bool run_groups_are_two(const struct run_groups *g, double p);

#endif
