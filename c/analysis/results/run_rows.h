/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run_rows.h - the rows of single runs, collected.
 */
#ifndef RUN_ROWS_H
#define RUN_ROWS_H

#include "comparable.h"

enum { ROW_KEY = 160 };

/* The identity of a row: runs with the same benchmark, place and key have the
   same row. */
struct row_id {
    char benchmark[VARIANT_NAME], place[PLACE], key[ROW_KEY];
    double bytes; /* -1: none */
    char unit[8]; /* unit of its value */
};

bool row_id_equal(const struct row_id *a, const struct row_id *b);

/* Which of two struct row_id comes first, as for qsort: by benchmark, place, bytes, key. */
int row_id_order(const void *a, const void *b);

/* Do the rows have the same benchmark and place?  Such rows make one table. */
bool row_id_same_table(const struct row_id *a, const struct row_id *b);

/* A row of one run; its pointers lead into the variant. */
struct run_row {
    const struct result_file *file;
    const json_t *row;
    struct row_id id;
    const char *fault; /* result_row_fault; NULL: it counts */
    int variant;       /* number of the variant, in the order given */
    size_t order;      /* order in which the rows were found */
};

/* All valid rows of n variants, to be freed.  They are sorted by benchmark,
   place, size and key, so that equal rows are adjacent, and then by variant. */
struct run_row *run_rows_of(const struct variant *variant, int n,
                            const struct may_differ *may, size_t *count);

/* The same of those that are not valid although they were to be measured. */
struct run_row *run_rows_left_out(const struct variant *variant, int n,
                                  const struct may_differ *may, size_t *count);

/* The end of the row that begins at i; the end of the first variant's part of
   it. */
size_t run_rows_end(const struct run_row *row, size_t i, size_t count);
size_t run_rows_end_of_variant(const struct run_row *row, size_t i,
                               size_t count);

#endif
