/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * row_table.h - the results of any number of subjects, row by row.
 */
#ifndef ROW_TABLE_H
#define ROW_TABLE_H

#include "results/launch_rows.h"

enum { TABLE_TAILS = 3 };

/* The result of one subject for a row. */
struct table_cell {
    size_t launches;  /* number of runs; 0: none has the row */
    double figure;    /* median over runs of the median over iterations */
    double low, high; /* least and greatest value of the runs */
    double tail[TABLE_TAILS]; /* P90, P99, P99.9 of iterations relative to their
                                 median, medians over runs; 0: unknown in a run */
    size_t drifting;      /* runs in which iterations became slower or faster */
    const char *doubtful; /* of doubtful_row */
};

struct table_row {
    struct row_id id;
    struct table_cell cell[SUBJECTS];
};

struct row_table {
    const struct subject *subject;
    int subjects;
    struct table_row *row; /* sorted by benchmark, place, size */
    size_t rows;
};

/* Make the table of n subjects. */
void row_table_make(struct row_table *t, const struct subject *subject, int n,
                    const struct may_differ *may);
void row_table_release(struct row_table *t);

/* The first row of another benchmark or place after row i; rows: there is none. */
size_t row_table_next(const struct row_table *t, size_t i);

/* The first row of another benchmark after row i, whatever the place. */
size_t row_table_next_benchmark(const struct row_table *t, size_t i);

#endif
