/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unit_series.h - synthetic iteration times, the same on every machine, and the number
 *                 of series that have a property.
 */
#ifndef UNIT_SERIES_H
#define UNIT_SERIES_H

#include "unit.h"

#include "../reference/series.h"

enum { UNIT_TRIALS = 200 };

static uint64_t unit_state;

static inline double unit_uniform(void)
{
    return series_uniform(&unit_state);
}

/* A normal number, by Box and Muller. */
static inline double unit_normal(void)
{
    return sqrt(-2 * log(unit_uniform())) * cos(2 * M_PI * unit_uniform());
}

/* The next value of an AR(1) process with deviation 1. */
static inline double unit_ar1(double *z, double rho)
{
    *z = rho * *z + sqrt(1 - rho * rho) * unit_normal();
    return *z;
}

/* Returns sample i of n of a series; in DRAW at is the part of it that is past. */
typedef double (*unit_draw)(size_t i, size_t n);

#define DRAW(name, sample)                                                                         \
    static double name(size_t i, size_t n)                                                         \
    {                                                                                              \
        const double at = (double)i / (double)n;                                                   \
                                                                                                   \
        (void)at;                                                                                  \
        return (sample);                                                                           \
    }

static inline void unit_series(double *value, size_t n, unit_draw draw)
{
    for (size_t i = 0; i < n; i++)
        value[i] = draw(i, n);
}

/* One row of a table of rates: among UNIT_TRIALS series of n samples, least to
   most must have the property. */
struct unit_rate {
    const char *name;
    unit_draw draw;
    size_t n;
    int least, most;
};

static inline void unit_rate_is(const struct unit_rate *row,
                                bool (*has)(const double *series, size_t n))
{
    double *series = malloc(row->n * sizeof *series);
    int count = 0;

    assert_non_null(series);
    unit_state = 0x9e3779b97f4a7c15u;
    for (int i = 0; i < UNIT_TRIALS; i++) {
        unit_series(series, row->n, row->draw);
        count += has(series, row->n);
    }
    free(series);
    printf("# %s, %zu samples: %d of %d\n", row->name, row->n, count, UNIT_TRIALS);
    if (count < row->least || count > row->most)
        fail_msg("%d of %d, not %d to %d", count, UNIT_TRIALS, row->least, row->most);
}

#endif
