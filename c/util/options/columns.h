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

/* Columns that only some programs have, at most; their numbers follow. */
enum { MORE_COLUMNS_MAX = 8 };

/* The column of that number: one of these or, after them, one of more, which ends with a
   NULL name and may be NULL.  NULL: there is none. */
const struct extra_column *extra_column(const struct extra_column *more,
                                        int id);

#endif
