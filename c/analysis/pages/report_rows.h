/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_rows.h - the tables of a page: rows of all variants, and places side by side.
 */
#ifndef REPORT_ROWS_H
#define REPORT_ROWS_H

#include "report_page.h"

/* Add the rows from first to end, of one benchmark and place: the values of each variant, the
   ratio of each further one to the first, and how long the slowest iterations take. */
void report_rows(struct document *d, const struct report *r, size_t first,
                 size_t end);

/* Add the rows from first to end, of one benchmark in several places: a table for each variant
   with a column for each place; nothing for one place. */
void report_places(struct document *d, const struct row_table *t, size_t first,
                   size_t end);

#endif
