/* SPDX-License-Identifier: BSD-3-Clause */
#include "rank_test.h"

#include <math.h>

#include "autocorrelation.h"

enum { LINE_COST = 4 };

/* How many of sorted[from..n-1] equal value. */
static size_t equal(const double *sorted, size_t from, size_t n, double value)
{
    size_t i = from;

    while (i < n && sorted[i] <= value)
        i++;
    return i - from;
}

struct rank_sum mann_whitney(const double *a, size_t na, const double *b,
                             size_t nb, double inflation)
{
    const double pairs = (double)na * (double)nb, n = (double)(na + nb);
    struct rank_sum r = { .p = 1 };
    double ties = 0, variance, excess;
    size_t i = 0, j = 0;

    while (i < na || j < nb) {
        const double value = j == nb || (i < na && a[i] < b[j]) ? a[i] : b[j];
        const size_t of_a = equal(a, i, na, value);
        const size_t of_b = equal(b, j, nb, value);
        const double t = (double)(of_a + of_b);

        r.u += (double)of_a * ((double)j + (double)of_b / 2);
        ties += t * t * t - t;
        i += of_a;
        j += of_b;
    }
    variance = pairs / 12 * (n + 1 - ties / (n * (n - 1))) * inflation;
    excess = r.u - pairs / 2;
    if (variance > 0 && fabs(excess) > 0.5) {
        r.z = copysign(fabs(excess) - 0.5, excess) / sqrt(variance);
        r.p = erfc(fabs(r.z) / M_SQRT2);
    }
    return r;
}

/* Values below value, or at most value. */
static size_t count(const double *sorted, size_t n, double value, int at_most)
{
    size_t low = 0, high = n;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (sorted[middle] < value || (at_most && sorted[middle] <= value))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void ranks_of(double *series, const double *sorted, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const size_t below = count(sorted, n, series[i], 0);
        const size_t upto = count(sorted, n, series[i], 1);

        series[i] = ((double)below + (double)upto + 1) / 2;
    }
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

/* Blocks of neighbours, replaced by their means; how many blocks. */
static size_t average_blocks(double *series, size_t n, size_t length)
{
    for (size_t i = 0; i < n / length; i++) {
        double sum = 0;

        for (size_t j = i * length; j < (i + 1) * length; j++)
            sum += series[j];
        series[i] = sum / (double)length;
    }
    return n / length;
}

double ranks_tau(double *ranks, size_t n)
{
    const size_t length = (n + GEYER_MOST_BLOCKS - 1) / GEYER_MOST_BLOCKS;
    double variance, of_blocks, tau;
    size_t blocks = n;

    if (n == 0)
        return 1;
    take_line_out(ranks, n);
    variance = of_blocks = geyer_covariance(ranks, n, 0);
    if (length > 1) {
        blocks = average_blocks(ranks, n, length);
        of_blocks = geyer_covariance(ranks, blocks, 0);
    }
    if (variance <= 0 || of_blocks <= 0)
        return 1;
    tau = geyer_tau(ranks, blocks);
    tau = fmax(1, tau * (double)length * of_blocks / variance);
    return tau / fmax(1 - LINE_COST * (tau - 1) / (double)n, 0.01);
}
