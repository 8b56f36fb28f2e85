/* SPDX-License-Identifier: BSD-3-Clause */
#include "series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool series_begin(struct series *s)
{
    const size_t bytes = SERIES_ROOM * sizeof *s->value;

    *s = (struct series){ .value = malloc(bytes), .sorted = malloc(bytes) };
    if (s->value == NULL || s->sorted == NULL ||
        !histogram_begin(&s->histogram)) {
        free(s->value);
        free(s->sorted);
        *s = (struct series){ 0 };
        return false;
    }
    memset(s->value, 1, bytes);
    memset(s->sorted, 1, bytes);
    histogram_clear(&s->histogram);
    return true;
}

void series_end(struct series *s)
{
    if (s->value == NULL)
        return;
    free(s->value);
    free(s->sorted);
    histogram_end(&s->histogram);
    *s = (struct series){ 0 };
}

void series_clear(struct series *s)
{
    if (s->n > s->kept)
        histogram_clear(&s->histogram);
    s->n = s->kept = 0;
    s->tau = 0;
}

void series_add(struct series *s, const double *values, size_t n)
{
    if (s->n == s->kept && s->n + n <= SERIES_ROOM) {
        memcpy(s->value + s->n, values, n * sizeof *values);
        s->n = s->kept = s->n + n;
        return;
    }
    if (s->n == s->kept) {
        const size_t fits = SERIES_ROOM - s->kept;

        histogram_add_many(&s->histogram, s->value, s->kept);
        memcpy(s->value + s->kept, values, fits * sizeof *values);
        s->kept = SERIES_ROOM;
        s->tau = 0;
    }
    histogram_add_many(&s->histogram, values, n);
    s->n += n;
}

static void widen(const struct series *s, double *low, double *high)
{
    *low = fmax(0, *low - s->slack);
    *high += s->slack;
}

static struct stats figures_of(struct series *s)
{
    struct stats kept;

    if (s->tau == 0 || s->n == s->kept) {
        kept = stats_of_series(s->value, s->sorted, s->kept);
        s->tau = kept.tau;
        if (s->n == s->kept)
            return kept;
    }
    return histogram_stats(&s->histogram, s->tau);
}

struct stats series_describe(struct series *s)
{
    struct stats all = figures_of(s);

    if (all.has_interval)
        widen(s, &all.ci_low, &all.ci_high);
    return all;
}

struct series_shape series_shape(const struct series *s)
{
    return (struct series_shape){
        .outliers = stats_outliers(s->sorted, s->kept, OUTLIER_THRESHOLD),
        .drift = drift_of(s->value, s->kept),
    };
}

double series_quantile(const struct series *s, double p)
{
    if (s->n == 0)
        return NAN;
    return s->n == s->kept ? stats_quantile(s->sorted, s->n, p)
                           : histogram_quantile(&s->histogram, p);
}

bool series_interval(const struct series *s, double p, double *low,
                     double *high)
{
    size_t lower, upper;

    if (s->n > s->kept) {
        if (!histogram_interval(&s->histogram, p, s->tau, low, high))
            return false;
    } else {
        if (s->n == 0 || !stats_ranks_tau(s->n, p, s->tau, &lower, &upper))
            return false;
        *low = s->sorted[lower - 1];
        *high = s->sorted[upper - 1];
    }
    widen(s, low, high);
    return true;
}
