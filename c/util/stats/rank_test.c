/* SPDX-License-Identifier: BSD-3-Clause */
#include "rank_test.h"

#include <math.h>
#include <string.h>

#include "stats.h"

/* How many of sorted[0..n-1] are below value. */
static size_t below(const double *sorted, size_t n, double value)
{
    size_t low = 0, high = n;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (sorted[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void ranks_of(double *values, size_t n, double *sorted)
{
    memcpy(sorted, values, n * sizeof *sorted);
    stats_sort(sorted, n);
    for (size_t i = 0; i < n; i++) {
        const double next = nextafter(values[i], HUGE_VAL);

        values[i] =
            (double)(below(sorted, n, values[i]) + below(sorted, n, next) + 1) /
            2;
    }
}

struct rank_sum mann_whitney(const double *ranks, size_t na, size_t n,
                             double inflation)
{
    const double pairs = (double)na * (double)(n - na);
    struct rank_sum r = { .p = 1 };
    double excess = 0, squares = 0, variance;

    for (size_t i = 0; i < n; i++) {
        const double distance = ranks[i] - ((double)n + 1) / 2;

        excess += i < na ? distance : 0;
        squares += distance * distance;
    }
    variance = pairs * squares / ((double)n * ((double)n - 1)) * inflation;
    r.u = excess + pairs / 2;
    if (variance > 0 && fabs(excess) > 0.5) {
        r.z = copysign(fabs(excess) - 0.5, excess) / sqrt(variance);
        r.p = erfc(fabs(r.z) / M_SQRT2);
    }
    return r;
}

static void take_line_out(double *ranks, size_t n)
{
    const double middle = ((double)n - 1) / 2, mean = ((double)n + 1) / 2;
    double products = 0, squares = 0;

    for (size_t i = 0; i < n; i++) {
        const double x = (double)i - middle;

        products += x * (ranks[i] - mean);
        squares += x * x;
    }
    for (size_t i = 0; i < n; i++) {
        ranks[i] -= mean;
        if (squares > 0)
            ranks[i] -= products / squares * ((double)i - middle);
    }
}

double ranks_tau(double *ranks, size_t n)
{
    take_line_out(ranks, n);
    return stats_autocorrelation(ranks, n, 0);
}
