/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * windows.h - -V: a line for each size, and a column for each of eight windows, 1, 2, 4, ...
 *             128.
 *
 * Each (size, window) is a row, measured by itself; "-" stands for what was not measured.
 * Printed on rank 0.
 */
#ifndef WINDOWS_H
#define WINDOWS_H

#include <stdio.h>

#include "rows.h"

/* Append the rows of a line: as that one, and different in the window. */
void windows_add(struct rows *rows, const struct row *like);

void windows_heading(FILE *to);

/* A row was measured: print its line if it is the last of it.  1: a line with a figure. */
int windows_row(const struct result *result);

/* The block of rows number first to last - 1 is over, maybe within a line, which is printed
   as above; rates: then the message rates of the block. */
int windows_end(const struct rows *rows, int first, int last, bool rates);

#endif
