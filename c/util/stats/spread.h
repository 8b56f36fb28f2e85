/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spread.h - how far values lie from the middle of a sorted array.
 *
 * Arrays are ascending and finite, in any unit; limits have the same unit.
 * n = 0 gives 0 everywhere.  Medians are nearest-rank, as in stats.h.  Nothing
 * is ever dropped here: outliers are counted, the array stays as it is.
 */
#ifndef SPREAD_H
#define SPREAD_H

#include <stddef.h>

/*
 * Values whose modified z-score, 0.6745 |x - median| / MAD, exceeds a threshold
 * (Iglewicz and Hoaglin, How to Detect and Handle Outliers, 1993).  For normal
 * data the score is the distance in standard deviations.  Times are skewed:
 * the book's 3.5 flags 2 % of clean log-normal times (sigma 0.4), the default
 * here one in a million, so that a flag means something happened.
 *
 * MAD, the median distance from the median, is 0 where more than half of the values are equal, as a coarse clock
 * makes them.  Then the mean distance from the median stands in for it, as in
 * the book: |x - median| / (1.2533 mean distance).  All equal: no outliers.
 */
#define SPREAD_OUTLIER_THRESHOLD 14.8

struct outliers {
    double from, to;  /* values outside from..to are outliers */
    size_t low, high; /* how many lie below and above */
    double share;     /* (low + high) / n */
};

struct outliers spread_outliers(const double *sorted, size_t n,
                                double threshold);

#endif
