/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * heat_map.h - the values of all pairs of ranks (pair_matrix, pair_bw) as a table in
 *              HTML: a cell for each pair, the darker the slower.
 *
 * Cells have one hue, and their lightness is the logarithm of the value, so that equal
 * steps are equal ratios and the map is read without colors too.  A legend has the
 * values of nine shades.  The lightest is the fastest pair, the darkest the slowest, but
 * at least 1.25 times as slow, so that a quiet machine has pale cells.  Each cell has
 * a title with its ranks and value; few ranks have the values in the cells, since there
 * are no titles on a phone.  Below are the slowest pairs and the outliers that the
 * runs named.
 *
 * Of several runs each value is the median over runs.
 */
#ifndef HEAT_MAP_H
#define HEAT_MAP_H

#include <stdio.h>

#include "results/row_table.h"

enum { HEAT_MAP_RANKS = 128 }; /* more are not drawn */

/* Draw what a variant of this name has of the row, if it has values of pairs: a heading, the
   table, the slowest pairs. */
void heat_map(FILE *to, const struct row_id *id, const struct table_cell *cell,
              const char *name);

#endif
