/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * row_table.h - the results of any number of variants, row by row.
 */
#ifndef ROW_TABLE_H
#define ROW_TABLE_H

#include "results/run_rows.h"

enum { TABLE_TAILS = 3 };

/* The result of one variant for a row. */
struct table_cell {
    size_t runs;      /* number of runs; 0: none has the row */
    double figure;    /* median over runs of the median over iterations */
    double low, high; /* least and greatest value of the runs */
    double tail[TABLE_TAILS]; /* P90, P99, P99.9 of iterations relative to their
                                 median, medians over runs; 0: unknown in a run */
    size_t drifting;      /* runs in which iterations became slower or faster */
    const char *doubtful; /* of doubtful_row */
};

struct table_row {
    struct row_id id;
    struct table_cell cell[VARIANTS];
};

struct row_table {
    const struct variant *variant;
    int variants;
    struct table_row *row; /* sorted by benchmark, place, size */
    size_t rows;
};

/* Make the table of n variants. */
void row_table_make(struct row_table *t, const struct variant *variant, int n,
                    const struct may_differ *may);
void row_table_release(struct row_table *t);

/* The first row of another benchmark or place after row i; rows: there is none. */
size_t row_table_next(const struct row_table *t, size_t i);

/* The first row of another benchmark after row i, whatever the place. */
size_t row_table_next_benchmark(const struct row_table *t, size_t i);

#endif
