/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * launch_rows.h - rows of single launches, brought together.
 */
#ifndef LAUNCH_ROWS_H
#define LAUNCH_ROWS_H

#include "comparable.h"

enum { ROW_KEY = 160 };

/* What a row is of: launches with the same benchmark, place and key have the same row. */
struct row_id {
    char benchmark[SUBJECT_NAME], place[PLACE], key[ROW_KEY];
    double bytes; /* -1: none */
    char unit[8]; /* of its figure */
};

bool row_id_equal(const struct row_id *a, const struct row_id *b);

/* Of the same benchmark in the same place: such rows make one table. */
bool row_id_same_table(const struct row_id *a, const struct row_id *b);

/* A row of one launch; what it points to is the subject's. */
struct launch_row {
    const struct result_file *file;
    const json_t *row;
    struct row_id id;
    int subject;  /* number, in the order given */
    size_t order; /* in which they were met */
};

/* All rows that count of n subjects, to be freed: by benchmark, place, size and key, so
   that those of one row stand together, of the first subject first. */
struct launch_row *launch_rows_of(const struct subject *subject, int n,
                                  const struct may_differ *may, size_t *count);

/* Where the row ends that begins at i, and where the first subject's part of it ends. */
size_t launch_rows_end(const struct launch_row *row, size_t i, size_t count);
size_t launch_rows_end_of_subject(const struct launch_row *row, size_t i,
                                  size_t count);

#endif
