/* SPDX-License-Identifier: BSD-3-Clause */
#include "drift.h"

#include "rank_test.h"
#include "stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A third of the series, and room to work on it. */
struct third {
    const double *series;
    size_t n;
    double *sorted, *ranks;
    double median, tau;
};

static double median_of(const double *series, size_t n, double *sorted)
{
    memcpy(sorted, series, n * sizeof *sorted);
    stats_sort(sorted, n);
    return stats_quantile(sorted, n, 0.5);
}

static void third_describe(struct third *t)
{
    t->median = median_of(t->series, t->n, t->sorted);
    memcpy(t->ranks, t->series, t->n * sizeof *t->ranks);
    ranks_of(t->ranks, t->sorted, t->n);
    t->tau = ranks_tau(t->ranks, t->n);
}

static void thirds_compare(struct drift *d, const struct third *first,
                           const struct third *last)
{
    struct rank_sum r;

    d->first = first->median;
    d->last = last->median;
    d->tau = fmax(first->tau, last->tau);
    r = mann_whitney(last->sorted, last->n, first->sorted, first->n, d->tau);
    d->z = r.z;
    d->p = r.p;
    d->known = d->first > 0 && d->last > 0 &&
               (double)first->n >= DRIFT_INDEPENDENT * d->tau;
    if (!d->known)
        return;
    d->ratio = d->last / d->first;
    d->drifts = d->p < DRIFT_SIGNIFICANCE &&
                (d->ratio > DRIFT_MATTERS || d->ratio < 1 / DRIFT_MATTERS);
}

struct drift drift_of(const double *series, size_t n)
{
    const size_t m = n / 3;
    struct drift d = { .ratio = 1, .tau = 1, .p = 1 };
    struct third first = { .series = series, .n = m };
    struct third last = { .series = series + n - m, .n = m };
    double *room;

    if (n < DRIFT_LEAST)
        return d;
    room = malloc(3 * m * sizeof *room);
    if (room == NULL)
        return d;
    first.sorted = room;
    last.sorted = room + m;
    first.ranks = last.ranks = room + 2 * m;
    third_describe(&first);
    third_describe(&last);
    thirds_compare(&d, &first, &last);
    free(room);
    return d;
}
