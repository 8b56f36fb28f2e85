/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * distribution.h - how the samples of a row lie (result files of --raw), as an SVG element
 *               within a page: bars on a logarithmic axis of time, and lines for the mean, the
 *               median and its 95% interval.
 *
 * The height of a bar is the logarithm of 1 + its samples, so that a single interruption
 * among a hundred thousand iterations is seen.
 */
#ifndef DISTRIBUTION_H
#define DISTRIBUTION_H

#include <stdio.h>

#include "results/row_table.h"

/* Draw the samples that the first run of a variant of this name has of the row, if it has
   ten or more, and they differ. */
void distribution(FILE *to, const struct row_id *id,
                  const struct table_cell *cell, const char *name);

#endif
