/* SPDX-License-Identifier: BSD-3-Clause */
#include "drift.h"

#include "rank_test.h"
#include "stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Describe a third of a series: its median, and its tau if that is larger than *tau.
   ranks and sorted have room for it. */
static double describe(const double *third, size_t n, double *ranks,
                       double *sorted, double *tau)
{
    memcpy(ranks, third, n * sizeof *ranks);
    ranks_of(ranks, n, sorted);
    *tau = fmax(*tau, ranks_tau(ranks, n));
    return stats_quantile(sorted, n, 0.5);
}

struct drift drift_of(const double *series, size_t n)
{
    const size_t m = n / 3;
    const double *last = series + n - m;
    struct drift d = { .ratio = 1, .tau = 1, .p = 1 };
    struct rank_sum r;
    double *ranks;

    if (n < DRIFT_LEAST || (ranks = malloc(4 * m * sizeof *ranks)) == NULL)
        return d;
    d.first = describe(series, m, ranks, ranks + m, &d.tau);
    d.last = describe(last, m, ranks, ranks + m, &d.tau);
    memcpy(ranks, last, m * sizeof *ranks);
    memcpy(ranks + m, series, m * sizeof *ranks);
    ranks_of(ranks, 2 * m, ranks + 2 * m);
    r = mann_whitney(ranks, m, 2 * m, d.tau);
    free(ranks);
    d.z = r.z;
    d.p = r.p;
    d.known =
        d.first > 0 && d.last > 0 && (double)m >= DRIFT_INDEPENDENT * d.tau;
    if (!d.known)
        return d;
    d.ratio = d.last / d.first;
    d.drifts = d.p < DRIFT_SIGNIFICANCE &&
               (d.ratio > DRIFT_MATTERS || d.ratio < 1 / DRIFT_MATTERS);
    return d;
}
