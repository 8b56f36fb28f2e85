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
#include <stdint.h>

/*
 * Mean and deviation of any number of values, one after the other.  The mean moves with each
 * value, and squares are taken about it (Welford 1962); all are counted from the first value, so
 * that 1e9 + 0.25 keeps its digits.  All bytes zero is an empty set.
 */
struct moments {
    size_t n;
    double first, min, max; /* 0 if n = 0 */
    double above;           /* mean of value - first */
    double squares;         /* sum of squared distances from the mean */
};

void moments_add(struct moments *m, const double *value, size_t n);

/* Within min..max whatever the rounding. */
double moments_mean(const struct moments *m);

struct stats {
    size_t n;
    double mean, stddev; /* n - 1 in its denominator; NAN if n < 2 */
    double min, median, max;
    double tau;             /* integrated autocorrelation time, at least 1 */
    bool has_interval;      /* false where n is too small for 95 % (n < 6) */
    double ci_low, ci_high; /* 95 % confidence interval of the median */
};

/* Describe values[0..n-1], which are sorted in place.  n = 0 gives NAN. */
struct stats stats_of(double *values, size_t n);

/*
 * Describe series[0..n-1], in the order of measuring: as stats_of for a sorted copy, which
 * sorted[] receives, but with the interval widened for what neighbouring samples have in common:
 * n samples tell as much about the median as n / tau independent ones.
 */
struct stats stats_of_series(const double *series, double *sorted, size_t n);

/* Into ascending order. */
void stats_sort(double *values, size_t n);

/*
 * Quantile p of sorted[0..n-1], 0 <= p <= 1: the element of rank ceil(p n), within 1..n.  n
 * must not be 0.
 */
double stats_quantile(const double *sorted, size_t n, double p);

/*
 * Ranks (counted from 1) of the order statistics that enclose the quantile p of the population
 * with at least 95 % confidence, whatever its distribution, of samples whose autocorrelation
 * time is tau: of independent ones lower is the largest l with P(Bin(n,p) <= l-1) <= 0.025,
 * upper the smallest u with P(Bin(n,p) <= u-1) >= 0.975.  Exact up to n = 1,000, then by the
 * normal approximation.  Of others the distance of the ranks from where the quantile is
 * multiplied by sqrt(tau), as if there were n / tau samples.  False if n is too small for such
 * an interval. Source: Conover, Practical Nonparametric Statistics, section 3.2.
 */
bool stats_ranks_tau(size_t n, double p, double tau, size_t *lower, size_t *upper);

/* Half-width of the median's interval, relative to the median; HUGE_VAL if there is none. */
double stats_half_width(const struct stats *s);

/* The nearest-rank median.  values[0..n-1] are sorted in place; n must not be 0. */
double stats_median(double *values, size_t n);

/* How far sorted values lie from their median: the median distance from it / 0.6745, which is
   the standard deviation where they are normal, and few far ones do not count. */
double stats_deviation(const double *sorted, size_t n);

/* --- The samples of a row: kept one by one up to 1 MiB of them, then counted in a histogram.
   Up to SERIES_ROOM samples everything is exact.  Beyond, mean and deviation stay exact,
   quantiles come from the histogram of all samples, and what needs their order -
   autocorrelation time, drift - is that of the first SERIES_ROOM. ----------------------- */

enum {
    SERIES_ROOM = 131072,
    SERIES_BYTES = 5 << 19, /* of a series, at most */
};

struct histogram {
    struct moments moments; /* of the values, not of the bins */
    uint64_t *count;
};

struct series {
    size_t n;                   /* samples added */
    size_t kept;                /* samples in value[], in the order of measuring */
    double *value;              /* room for SERIES_ROOM */
    double *sorted;             /* the same, ascending, once described */
    struct histogram histogram; /* all samples, as soon as n > kept */
    double tau;                 /* autocorrelation time of the kept; 0: not known */
    /* Half a clock tick, as a sample: added to both ends of an interval, as the clock
       resolves no less. */
    double slack;
};

/* In that room of SERIES_BYTES, zeroed and touched: page faults would land in samples. */
void series_begin(struct series *s, void *room);

/* Forget all samples. */
void series_clear(struct series *s);
void series_add(struct series *s, const double *values, size_t n);

/* Mean, median, interval and so on of all samples so far. */
struct stats series_describe(struct series *s);

/*
 * Did the figure change while it was measured?  The first third of a series, in the order of
 * measuring, against the last third: a series drifts if the difference is both beyond chance and
 * large enough to matter.
 *
 * Not known if the series is shorter than DRIFT_LEAST, if a third is worth fewer than
 * DRIFT_INDEPENDENT independent samples, if a median is not above 0, or if memory is short.
 *
 * The Mann-Whitney test takes values for independent, so its variance is multiplied by tau
 * (ranks_tau): the larger one of the two thirds, each by itself.  Over the whole series, a drift
 * would count as autocorrelation and hide itself.
 *
 * Where the noise is slower than a third of the series is long, this cannot be told from a
 * drift; more than 1 % of such series are then said to drift.
 */
enum {
    DRIFT_LEAST = 60,       /* shortest series that is judged */
    DRIFT_INDEPENDENT = 10, /* least n / tau of a third */
};

#define DRIFT_SIGNIFICANCE 0.01 /* p below which it is not chance */
#define DRIFT_MATTERS      1.02 /* ratio of medians, or its inverse, beyond */

struct drift {
    bool known;   /* false: see above; then nothing drifts */
    double first; /* median of the first third */
    double last;  /* and of the last */
    double ratio; /* last / first */
    double tau;   /* autocorrelation time within the thirds, of ranks */
    double p;     /* of mann_whitney(last, first), widened by tau */
    bool drifts;
};

/*
 * Values whose modified z-score, 0.6745 |x - median| / MAD, exceeds a threshold (Iglewicz and
 * Hoaglin, How to Detect and Handle Outliers, 1993).  For normal data the score is the distance
 * in standard deviations.  Times are skewed: the book's 3.5 flags 2 % of clean log-normal times
 * (sigma 0.4), the threshold here one in a million, so that a flag means something happened.
 *
 * MAD, the median distance from the median, is 0 where more than half of the values are equal,
 * as a coarse clock makes them.  Then the mean distance from the median is used, as in the book:
 * |x - median| / (1.2533 mean distance).  All equal: no outliers.
 */
#define OUTLIER_THRESHOLD 14.8

struct outliers {
    double from, to;  /* values outside from..to are outliers */
    size_t low, high; /* how many lie below and above */
    double share;     /* (low + high) / n; NAN if n < 3 */
};

/* What one median does not say; of the samples kept. */
struct series_shape {
    struct outliers outliers;
    struct drift drift;
};

/* After series_describe. */
struct series_shape series_shape(const struct series *s);

/* Quantile p by nearest rank, after series_describe; NAN: there is no sample. */
double series_quantile(const struct series *s, double p);

/* Its 95 % confidence interval, widened by tau; false: too few samples for
   one (the 99th percentile needs 368 that are independent). */
bool series_interval(const struct series *s, double p, double *low, double *high);

#endif
