/* SPDX-License-Identifier: BSD-3-Clause */
#include "histogram.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MANTISSA_LEFT = 52 - 10, /* bits of a double below those of a bin */
    BIAS = 1023,             /* added to a double's exponent */
};

/* Exponent and the first ten bits of the mantissa of the lowest bin: in the
   order of their bits, positive doubles are in the order of their values. */
static const uint64_t LOWEST = (uint64_t)(HISTOGRAM_FIRST + BIAS) << 10;

static double edge(size_t bin)
{
    const uint64_t bits = (LOWEST + bin) << MANTISSA_LEFT;
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

static size_t counter_of(double seconds)
{
    uint64_t bits;

    if (!(seconds >= edge(0)))
        return HISTOGRAM_BELOW;
    if (seconds >= edge(HISTOGRAM_BINS))
        return HISTOGRAM_ABOVE;
    memcpy(&bits, &seconds, sizeof bits);
    return (size_t)((bits >> MANTISSA_LEFT) - LOWEST) + 1;
}

bool histogram_begin(struct histogram *h)
{
    *h = (struct histogram){
        .count = calloc(HISTOGRAM_COUNTERS, sizeof *h->count),
    };
    return h->count != NULL;
}

void histogram_end(struct histogram *h)
{
    free(h->count);
    *h = (struct histogram){ .count = NULL };
}

void histogram_clear(struct histogram *h)
{
    h->moments = (struct moments){ .n = 0 };
    memset(h->count, 0, HISTOGRAM_COUNTERS * sizeof *h->count);
}

void histogram_add_many(struct histogram *h, const double *seconds, size_t n)
{
    moments_add(&h->moments, seconds, n);
    for (size_t i = 0; i < n; i++)
        h->count[counter_of(seconds[i])]++;
}

static size_t counter_of_rank(const struct histogram *h, size_t rank)
{
    uint64_t before = 0;

    for (size_t i = 0; i < HISTOGRAM_ABOVE; i++) {
        before += h->count[i];
        if (before >= rank)
            return i;
    }
    return HISTOGRAM_ABOVE;
}

/* The least and the greatest that a value of this counter can be. */
static double least(const struct histogram *h, size_t counter)
{
    if (counter == HISTOGRAM_BELOW)
        return h->moments.min;
    return fmax(edge(counter - 1), h->moments.min);
}

static double greatest(const struct histogram *h, size_t counter)
{
    if (counter == HISTOGRAM_ABOVE)
        return h->moments.max;
    return fmin(edge(counter), h->moments.max);
}

double histogram_quantile(const struct histogram *h, double p)
{
    const struct moments *m = &h->moments;
    size_t rank, counter;

    if (m->n == 0)
        return 0;
    rank = stats_rank(m->n, p);
    counter = counter_of_rank(h, rank);
    if (rank == 1 || counter == HISTOGRAM_BELOW)
        return m->min;
    if (rank == m->n || counter == HISTOGRAM_ABOVE)
        return m->max;
    return fmin(fmax((edge(counter - 1) + edge(counter)) / 2, m->min), m->max);
}

bool histogram_interval(const struct histogram *h, double p, double tau,
                        double *low, double *high)
{
    size_t lower, upper;

    if (!stats_ranks_tau(h->moments.n, p, tau, &lower, &upper))
        return false;
    *low = least(h, counter_of_rank(h, lower));
    *high = greatest(h, counter_of_rank(h, upper));
    return true;
}

struct stats histogram_stats(const struct histogram *h, double tau)
{
    const struct moments *m = &h->moments;
    struct stats s = {
        .n = m->n,
        .mean = moments_mean(m),
        .stddev = moments_stddev(m),
        .min = m->min,
        .median = histogram_quantile(h, 0.5),
        .max = m->max,
        .tau = tau,
    };

    s.has_interval = histogram_interval(h, 0.5, tau, &s.ci_low, &s.ci_high);
    return s;
}
