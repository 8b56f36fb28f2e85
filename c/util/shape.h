/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shape.h - the middle and the tails of a sorted array.
 *
 * Arrays are ascending and finite, in any unit; results have the same unit.
 * n = 0 gives 0 everywhere.  Medians are nearest-rank, as in stats.h.  Nothing
 * is ever dropped here: outliers are counted, the array stays as it is.
 */
#ifndef SHAPE_H
#define SHAPE_H

#include <stddef.h>

/*
 * Mean of what is left after floor(share n) values are cut on each side,
 * 0 <= share < 0.5 (scipy.stats.trim_mean).
 */
double shape_trimmed_mean(const double *sorted, size_t n, double share);

/*
 * Mean of the middle half, exactly n / 2 values wide: where n is no multiple of
 * 4, the outermost two count in part, with weight 1 - (n / 4 - floor(n / 4)).
 * (Tukey's midmean; Wikipedia, "Interquartile mean", section "dataset size not
 * divisible by four".  scipy.stats.trim_mean(x, 0.25) rounds instead.)
 */
double shape_interquartile_mean(const double *sorted, size_t n);

/* Median of the distances from the median. */
double shape_mad(const double *sorted, size_t n);

/*
 * Values whose modified z-score, 0.6745 |x - median| / MAD, exceeds a threshold
 * (Iglewicz and Hoaglin, How to Detect and Handle Outliers, 1993).  For normal
 * data the score is the distance in standard deviations.  Times are skewed:
 * the book's 3.5 flags 2 % of clean log-normal times (sigma 0.4), the default
 * here one in a million, so that a flag means something happened.
 *
 * MAD is 0 where more than half of the values are equal, as a coarse clock
 * makes them.  Then the mean distance from the median stands in for it, as in
 * the book: |x - median| / (1.2533 mean distance).  All equal: no outliers.
 */
#define SHAPE_OUTLIER_THRESHOLD 14.8

struct outliers {
    double from, to;  /* values outside from..to are outliers */
    size_t low, high; /* how many lie below and above */
    double share;     /* (low + high) / n */
};

struct outliers shape_outliers(const double *sorted, size_t n,
                               double threshold);

#endif
