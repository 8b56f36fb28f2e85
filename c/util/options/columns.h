/* SPDX-License-Identifier: BSD-3-Clause */
/* columns.h - the columns that --columns adds. */
#ifndef COLUMNS_H
#define COLUMNS_H

/* Columns of --columns, in the order of --list. */
enum {
    EXTRA_MEDIAN,
    EXTRA_CI_LOW,
    EXTRA_CI_HIGH,
    EXTRA_HALF_WIDTH,
    EXTRA_TAU,
    EXTRA_EFFECTIVE,
    EXTRA_MIN,
    EXTRA_MAX,
    EXTRA_STDDEV,
    EXTRA_COMPLETION,
    EXTRA_LAPS,
    EXTRA_SAMPLES,
    EXTRA_STOP,
    EXTRA_OUTLIERS,
    EXTRA_DRIFT,
    EXTRA_SLOWEST,
    EXTRA_GLOBAL,
    EXTRA_SKEW,
    EXTRA_LATE,
    EXTRA_RESIDUAL,
    EXTRA_SPEED,
    EXTRA_COUNT
};

struct extra_column {
    const char *name, *meaning;
    const char *latency, *bandwidth; /* headings */
};

extern const struct extra_column extra_columns[EXTRA_COUNT];

#endif
