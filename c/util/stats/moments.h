/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * moments.h - sum, mean and deviation that lose no digits and can be merged.
 *
 * Sums are compensated (Neumaier 1974): their error is that of one rounding,
 * however many values there are.  Squares are taken about the mean in a second
 * pass and corrected for the mean's own rounding (Chan, Golub and LeVeque, The
 * American Statistician 37, 1983), so that values of 1e9 + 0.25 keep their
 * deviation.  Two sets merge by the pairwise formula of the same paper.
 *
 * Any unit.  Values must be finite: one infinity or NaN spoils every figure.
 * All bytes zero is an empty set.
 */
#ifndef MOMENTS_H
#define MOMENTS_H

#include <math.h>
#include <stddef.h>

struct sum {
    double high, low; /* the sum is high + low */
};

static inline void sum_add(struct sum *sum, double value)
{
    const double high = sum->high + value;

    if (fabs(sum->high) >= fabs(value))
        sum->low += (sum->high - high) + value;
    else
        sum->low += (value - high) + sum->high;
    sum->high = high;
}

static inline double sum_value(const struct sum *sum)
{
    return sum->high + sum->low;
}

struct moments {
    size_t n;
    double min, max; /* 0 if n = 0 */
    struct sum sum;
    double squares; /* sum of squared distances from the mean */
};

/* The moments of values[0..n-1], in any order. */
struct moments moments_of(const double *values, size_t n);

/* Add the values that *from describes to those of *into. */
void moments_merge(struct moments *into, const struct moments *from);

/* Within min..max whatever the rounding; 0 if n = 0. */
double moments_mean(const struct moments *m);

/* n - 1 in the denominator; 0 if n < 2. */
double moments_stddev(const struct moments *m);

#endif
