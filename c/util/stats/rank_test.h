/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rank_test.h - comparing by order alone, so that no outlier counts more than one.
 *
 * Values must be finite, in any unit.
 */
#ifndef RANK_TEST_H
#define RANK_TEST_H

#include <stddef.h>

/* Replace values[0..n-1] by their ranks, counted from 1; equal ones have the mean of
   theirs.  sorted[0..n-1] receives the values in ascending order. */
void ranks_of(double *values, size_t n, double *sorted);

struct rank_sum {
    double u; /* pairs with a > b, ties counting one half */
    double z; /* positive: a tends to be greater */
    double p; /* two-sided, normal approximation */
};

/*
 * Do a, which has the first na of these n ranks, and b, which has the others, come
 * from the same distribution?  Neither is empty.  The variance is that of the ranks
 * at hand, so corrected for ties, times inflation (1: the values are independent);
 * continuity correction 1/2 towards the mean.  All equal: z = 0, p = 1.
 * Source: Mann and Whitney 1947; Lehmann, Nonparametrics, 1975, section 1.4.
 */
struct rank_sum mann_whitney(const double *ranks, size_t na, size_t n,
                             double inflation);

/*
 * Integrated autocorrelation time of ranks[0..n-1], n above 0, about their least-squares
 * line: the inflation of mann_whitney.  A trend that only rises or only falls is a line
 * in ranks, and so does not count.  ranks[] holds nothing of use afterwards.
 */
double ranks_tau(double *ranks, size_t n);

#endif
