/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * window_columns.h - the table of -V: a line for each size, a column for each of
 *                    eight windows; rows are (size, window), measured one by one.
 */
#ifndef WINDOW_COLUMNS_H
#define WINDOW_COLUMNS_H

#include <stdio.h>

#include "rows.h"

/* Add a row like that one for each window: 1, 2, 4, ... 128. */
void window_columns_add(struct rows *rows, const struct row *row);

/* The line of windows. */
void window_columns_heading(FILE *to);

/* Keep the figures of a row; when it is the last of its size, print their line.
   Returns the number of lines printed that have a figure. */
int window_columns_print(struct row *row, const struct result *result);

/* After the last row of a block that was measured, row number last - 1: what of
   its line is there, if it is not the last of it; and, if rates, the message
   rates of the rows from first on.  "-" stands for what was not measured.
   Returns what window_columns_print does. */
int window_columns_end(const struct rows *rows, int first, int last,
                       bool rates);

#endif
