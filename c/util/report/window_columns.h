/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * window_columns.h - the table of -V: a line for each size, a column for each of eight
 *          windows; rows are (size, window), measured one by one.
 */
#ifndef WINDOW_COLUMNS_H
#define WINDOW_COLUMNS_H

#include <stdio.h>

#include "run/sweep.h"

/* The windows: 1, 2, 4, ... of number 0 to VARY_WINDOWS - 1. */
static inline int vary_window(int number)
{
    return 1 << number;
}

/* Add a row for each window. */
void window_columns_add(struct sweep *s, enum element element, size_t bytes);

/* The line of windows. */
void vary_heading(FILE *to);

/* Keep the figures of a row; when it is the last of its size, print their
   line. */
void window_columns_print(struct sweep *s, struct row *row, const struct result *result);

/* Behind the last row of a type that was measured, row number last - 1: what of
   its line is there, if it is not the last of it; and the message rates of all
   its rows.  "-" stands for what was not measured. */
void window_columns_end(struct sweep *s, int first, int last);

#endif
