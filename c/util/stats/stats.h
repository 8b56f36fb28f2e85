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

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Mean and deviation of any number of values, one after the other.  The mean moves
 * with each value, and squares are taken about it (Welford 1962); all are counted from
 * the first value, so that 1e9 + 0.25 keeps its digits.  All bytes zero is an empty
 * set.
 */
struct moments {
    size_t n;
    double first, min, max; /* 0 if n = 0 */
    double above;           /* mean of value - first */
    double squares;         /* sum of squared distances from the mean */
};

static inline void moments_add(struct moments *m, const double *value, size_t n)
{
    if (m->n == 0 && n > 0)
        m->first = m->min = m->max = value[0];
    for (size_t i = 0; i < n; i++) {
        const double distance = value[i] - m->first - m->above;

        m->min = fmin(m->min, value[i]);
        m->max = fmax(m->max, value[i]);
        m->above += distance / (double)++m->n;
        m->squares += distance * (value[i] - m->first - m->above);
    }
}

/* Within min..max whatever the rounding. */
static inline double moments_mean(const struct moments *m)
{
    return fmin(fmax(m->first + m->above, m->min), m->max);
}

/* n - 1 in the denominator; NAN if n < 2. */
static inline double moments_stddev(const struct moments *m)
{
    return m->n > 1 ? sqrt(m->squares / (double)(m->n - 1)) : NAN;
}

struct stats {
    size_t n;
    double mean, stddev; /* as moments_stddev */
    double min, median, max;
    double tau;             /* integrated autocorrelation time, at least 1 */
    bool has_interval;      /* false where n is too small for 95 % (n < 6) */
    double ci_low, ci_high; /* 95 % confidence interval of the median */
};

/* Describe values[0..n-1], which are sorted in place.  n = 0 gives NAN. */
struct stats stats_of(double *values, size_t n);

/*
 * Describe series[0..n-1], in the order of measuring: as stats_of for a sorted
 * copy, which sorted[] receives, but with the interval widened for what
 * neighbouring samples have in common: n samples tell as much about the
 * median as n / tau independent ones.
 */
struct stats stats_of_series(const double *series, double *sorted, size_t n);

/*
 * Integrated autocorrelation time, in elements, of x[0..n-1], which have that mean:
 * 1 + 2 (rho_1 + rho_2 + ...), within 1..n.  x[] holds nothing of use afterwards.
 * It is the larger one of two estimates:
 *
 *   lags    the sum over lags up to n / 4, in pairs (1,2), (3,4), ... until a pair is
 *           not positive.  (The initial positive sequence of Geyer 1992 has the pairs
 *           (0,1), (2,3), ...; these end sooner where the sign alternates.)
 *   blocks  from 64 elements on: means of blocks of about the cube root of n neighbours
 *           are taken for a first-order process.  A period, of threads or roots that
 *           take turns, ends the sum over lags at once and hides what is slower; the
 *           means of blocks hardly show it.  Three lengths are tried: the largest counts.
 *           A short series shows too little of what is slow: the correlation of
 *           blocks, rho, is taken larger by rho^2 times its standard error.
 *
 * Means of blocks of b neighbours stand for the series in both: times b and their
 * variance over that of the series, since both describe the variance of the mean of all
 * (batch means; Law, Simulation Modeling and Analysis, section 9.5.3).  The lags of a long
 * series are those of such means, so that they cost little and reach far.
 */
double stats_autocorrelation(double *x, size_t n, double mean);

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

/* Half-width of the median's interval, relative to the median; HUGE_VAL if there is none. */
double stats_half_width(const struct stats *s);

/* The nearest-rank median.  values[0..n-1] are sorted in place; n must not be 0. */
double stats_median(double *values, size_t n);

/* How far sorted values lie from their median: the median distance from it / 0.6745, which is
   the standard deviation where they are normal, and few far ones do not count. */
double stats_deviation(const double *sorted, size_t n);

#endif
