/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stats.h - what a set of samples says: mean, quantiles, and how sure they are.
 *
 * Plain arithmetic on arrays of doubles, in whatever unit the caller has.
 * Quantiles are nearest-rank, so that every printed quantile is a sample that
 * really occurred and min <= P50 <= P90 <= P99 <= max always holds.
 *
 * Values must be finite.  NaN has no place in an order, so an array with one in
 * it is sorted anyhow; differences of clock readings are never NaN.
 */
#ifndef STATS_H
#define STATS_H

#include <stdbool.h>
#include <stddef.h>

struct stats {
    size_t n;
    double mean, stddev; /* stddev: n - 1 in the denominator; 0 if n < 2 */
    double min, median, max;
    double tau;             /* integrated autocorrelation time, at least 1 */
    bool has_interval;      /* false where n is too small for 95 % (n < 6) */
    double ci_low, ci_high; /* 95 % confidence interval of the median */
};

/* Describe values[0..n-1], which are sorted in place.  n = 0 gives zeros. */
struct stats stats_of(double *values, size_t n);

/*
 * Describe series[0..n-1], in the order of measuring: as stats_of for a sorted
 * copy, which sorted[] receives, but with the interval widened for what
 * neighbouring samples have in common: n samples tell as much about the
 * median as n / tau independent ones.
 */
struct stats stats_of_series(const double *series, double *sorted, size_t n);

/*
 * Integrated autocorrelation time of the side of the median that the samples
 * are on (autocorrelation.h), at least 1: the error of a median depends on this
 * indicator series.  Samples that equal the median, many where the clock is coarse,
 * are tried on both sides, and the greater time counts.  Where a long series
 * remembers longer than can be looked at lag by lag, means of blocks are taken.
 * HUGE_VAL if memory is short.
 */
double stats_tau(const double *series, size_t n, double median);

/* Into ascending order. */
void stats_sort(double *values, size_t n);

/* Nearest rank, counted from 1: ceil(p n), within 1..n.  n must not be 0. */
size_t stats_rank(size_t n, double p);

/*
 * Quantile p of sorted[0..n-1], 0 <= p <= 1: the element of rank stats_rank(n, p);
 * p = 0 is the minimum.  n must not be 0.
 */
double stats_quantile(const double *sorted, size_t n, double p);

/*
 * Ranks (counted from 1) of the order statistics that enclose the quantile p
 * of the population with at least 95 % confidence, whatever its distribution:
 * lower is the largest l with P(Bin(n,p) <= l-1) <= 0.025, upper the smallest
 * u with P(Bin(n,p) <= u-1) >= 0.975.  Exact up to n = 1,000, then by the
 * normal approximation.  False if n is too small for such an interval.
 * Source: Conover, Practical Nonparametric Statistics, section 3.2.
 */
bool stats_ranks(size_t n, double p, size_t *lower, size_t *upper);

/*
 * The same of samples whose autocorrelation time is tau: the distance of the
 * ranks from where the quantile is multiplied by sqrt(tau), as if there were
 * n / tau samples.  False if that leaves 1..n.
 */
bool stats_ranks_tau(size_t n, double p, double tau, size_t *lower,
                     size_t *upper);

/* Half-width of the median's interval, relative to the median; HUGE_VAL if
   there is none. */
double stats_half_width(const struct stats *s);

#endif
