/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rank_test.h - comparing by order alone, so that no outlier counts more than one.
 *
 * Values must be finite, in any unit.
 */
#ifndef RANK_TEST_H
#define RANK_TEST_H

#include <stddef.h>

struct rank_sum {
    double u; /* pairs with a > b, ties counting one half */
    double z; /* positive: a tends to be greater */
    double p; /* two-sided, normal approximation */
};

/*
 * Do a[0..na-1] and b[0..nb-1], both ascending and not empty, come from the
 * same distribution?  Mid-ranks; variance corrected for ties and multiplied by
 * inflation (1: the values are independent); continuity correction 1/2 towards
 * the mean.  All values equal: z = 0, p = 1.
 * Source: Mann and Whitney 1947; Lehmann, Nonparametrics, 1975, section 1.4.
 * With inflation = 1 as scipy.stats.mannwhitneyu(method="asymptotic").
 */
struct rank_sum mann_whitney(const double *a, size_t na, const double *b,
                             size_t nb, double inflation);

/*
 * Replace series[0..n-1] by its ranks, counted from 1; equal values have the
 * mean of theirs.  sorted: the same values in ascending order.
 */
void ranks_of(double *series, const double *sorted, size_t n);

/*
 * Integrated autocorrelation time of ranks[0..n-1] about their least-squares
 * line (autocorrelation.h): the inflation of mann_whitney.  A trend that only rises
 * or only falls is a line in ranks, and so does not count.  ranks[] holds nothing
 * of use afterwards.
 *
 * The line takes some of the slow part of the noise with it; the result is
 * divided by 1 - 4 (tau - 1) / n to make up for that, and at least 1.  (The
 * factor 4 is fitted to AR(1) series; tests/unit/test_drift.c shows the rates.)
 */
double ranks_tau(double *ranks, size_t n);

#endif
