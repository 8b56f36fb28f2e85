/* SPDX-License-Identifier: BSD-3-Clause */
#include "moments.h"

struct moments moments_of(const double *values, size_t n)
{
    struct moments m = { .n = n };
    struct sum squares = { 0 }, rest = { 0 };
    double mean;

    if (n == 0)
        return m;
    m.min = m.max = values[0];
    for (size_t i = 0; i < n; i++) {
        m.min = fmin(m.min, values[i]);
        m.max = fmax(m.max, values[i]);
        sum_add(&m.sum, values[i]);
    }
    mean = moments_mean(&m);
    for (size_t i = 0; i < n; i++) {
        const double distance = values[i] - mean;

        sum_add(&rest, distance);
        sum_add(&squares, distance * distance);
    }
    m.squares =
        sum_value(&squares) - sum_value(&rest) * sum_value(&rest) / (double)n;
    m.squares = fmax(m.squares, 0);
    return m;
}

/* The mean with the digits that one double has no room for: means that differ
   little from each other are subtracted below. */
static struct sum precise_mean(const struct moments *m)
{
    const double n = (double)m->n, high = m->sum.high / n;

    return (struct sum){ high, (fma(-high, n, m->sum.high) + m->sum.low) / n };
}

void moments_merge(struct moments *into, const struct moments *from)
{
    const double a = (double)into->n, b = (double)from->n;
    struct sum mine, other;
    double apart;

    if (from->n == 0)
        return;
    if (into->n == 0) {
        *into = *from;
        return;
    }
    mine = precise_mean(into);
    other = precise_mean(from);
    apart = (other.high - mine.high) + (other.low - mine.low);
    into->squares += from->squares + apart * apart * (a * b / (a + b));
    into->n += from->n;
    into->min = fmin(into->min, from->min);
    into->max = fmax(into->max, from->max);
    sum_add(&into->sum, from->sum.high);
    sum_add(&into->sum, from->sum.low);
}

double moments_mean(const struct moments *m)
{
    if (m->n == 0)
        return 0;
    return fmin(fmax(sum_value(&m->sum) / (double)m->n, m->min), m->max);
}

double moments_stddev(const struct moments *m)
{
    return m->n > 1 ? sqrt(m->squares / (double)(m->n - 1)) : 0;
}
