/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * histogram.h - any number of times in constant memory, and mergeable.
 *
 * Bins are log-linear: every power of two is cut into 1,024 bins of equal
 * width, so a bin is at most 2^-10 (0.1 %) of its value wide.  They reach from
 * 2^-30 s (0.93 ns) to 2^10 s (17 min).  What lies outside is counted apart, in
 * the first and the last counter.
 *
 * n, min, max, mean and standard deviation are those of the values, not of the
 * bins.
 */
#ifndef HISTOGRAM_H
#define HISTOGRAM_H

#include "stats.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    HISTOGRAM_FIRST = -30, /* the bins begin at 2^-30 */
    HISTOGRAM_LAST = 10,   /* and end below 2^10 */
    HISTOGRAM_CUTS = 1024, /* bins in a power of two */
    HISTOGRAM_BINS = (HISTOGRAM_LAST - HISTOGRAM_FIRST) * HISTOGRAM_CUTS,
    /* Indices of the counters that are no bins; bin i is counter i + 1. */
    HISTOGRAM_BELOW = 0, /* zero, negative, or shorter than the first bin */
    HISTOGRAM_ABOVE = HISTOGRAM_BINS + 1,
    HISTOGRAM_COUNTERS = HISTOGRAM_BINS + 2 /* 320 KiB */
};

struct histogram {
    struct moments moments;
    uint64_t *count; /* HISTOGRAM_COUNTERS of them */
};

/* Allocate an empty histogram; false: no memory, and nothing to end. */
bool histogram_begin(struct histogram *h);
void histogram_end(struct histogram *h);

/* Forget all values; no memory changes hands. */
void histogram_clear(struct histogram *h);

/* Add seconds[0..n-1], which are finite.  Allocates nothing. */
void histogram_add_many(struct histogram *h, const double *seconds, size_t n);

/* Quantile p by nearest rank, as stats_quantile: the middle of the sample's bin, or
   minimum or maximum where that is nearer, so within 2^-11 (0.05 %) of the sample.
   Exact for the first and last rank.  Where the sample has no bin it is the minimum
   (below) or the maximum (above).  0 if nothing was added. */
double histogram_quantile(const struct histogram *h, double p);

/* The 95 % confidence interval of the quantile p, as stats_ranks_tau's; false: none.
   It ends at the outer edges of the bins, so it is never too narrow. */
bool histogram_interval(const struct histogram *h, double p, double tau,
                        double *low, double *high);

/* As stats_of, for an autocorrelation time tau that the caller knows (1: the
   values are independent). */
struct stats histogram_stats(const struct histogram *h, double tau);

#endif
