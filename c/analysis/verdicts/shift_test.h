/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shift_test.h - by how much one small sample lies above another, and how surely.
 *
 * For figures of whole runs, of which there are few: everything is exact up to
 * RANK_SHIFT_EXACT values, ties included.  Values must be finite.
 */
#ifndef SHIFT_TEST_H
#define SHIFT_TEST_H

#include <stdbool.h>
#include <stddef.h>

enum { RANK_SHIFT_EXACT = 60 }; /* values of both samples together */

struct rank_shift {
    double p;           /* two-sided: do both come from one distribution? */
    double shift;       /* b against a: Hodges and Lehmann's estimate */
    bool has_interval;  /* false where the samples are too small for 95 % */
    double low, high;   /* the shift's interval: 95 % confidence or more */
    double superiority; /* share of pairs in which b is greater, ties by half */
};

/*
 * Of b[0..nb-1] against a[0..na-1], neither empty, in any order.
 *
 * p: the permutation distribution of the sum of mid-ranks (Streitberg and Roehmel
 * 1986), twice the smaller tail, at most 1; beyond RANK_SHIFT_EXACT mann_whitney of
 * rank_test.h.  shift: the median of all differences b[j] - a[i] (Hodges and Lehmann
 * 1963).  low, high: the k-th smallest and k-th largest difference, with k the
 * largest that P(U <= k - 1) <= 0.025 allows, U that of Mann and Whitney without ties
 * (Lehmann, Nonparametrics, 1975, section 2.6).
 */
struct rank_shift rank_shift_of(const double *a, size_t na, const double *b,
                                size_t nb);

/* Adjust p[0..n-1], in any order, for their number, so that all that are at most x
   hold together with confidence 1 - x (Holm 1979). */
void rank_shift_holm(double *p, size_t n);

#endif
