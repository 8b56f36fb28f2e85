/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * series.h - the samples of a row: kept one by one up to 1 MiB of them, then
 *            counted in a histogram.
 *
 * Up to SERIES_ROOM samples everything is exact.  Beyond, quantiles come from
 * the histogram of all samples (within 0.05 %), mean and deviation stay exact,
 * and what needs the order of the samples - autocorrelation time, drift - is
 * that of the first SERIES_ROOM.
 */
#ifndef SERIES_H
#define SERIES_H

#include "drift.h"
#include "histogram.h"
#include "stats.h"

enum { SERIES_ROOM = 131072 };

struct series {
    size_t n;       /* samples added */
    size_t kept;    /* samples in value[], in the order of measuring */
    double *value;  /* room for SERIES_ROOM */
    double *sorted; /* the same, ascending, once described */
    struct histogram histogram; /* all samples, as soon as n > kept */
    double tau; /* autocorrelation time of the kept; 0: not known */
    /* Half a clock tick, as a sample: added to both ends of an interval, as the clock
       resolves no less. */
    double slack;
};

/* Memory, touched: page faults would land in samples.  False: none left, and nothing to end. */
bool series_begin(struct series *s);
void series_end(struct series *s);

/* Forget all samples. */
void series_clear(struct series *s);
void series_add(struct series *s, const double *values, size_t n);

/* Mean, median, interval and so on of all samples so far. */
struct stats series_describe(struct series *s);

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
bool series_interval(const struct series *s, double p, double *low,
                     double *high);

#endif
