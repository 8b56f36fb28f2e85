/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plot.h - plots of results by gnuplot, as an SVG element within an HTML page or as a file.
 *
 * false: why[] says why gnuplot drew nothing.  If there is too little to draw, nothing is
 * written and true is returned.
 */
#ifndef PLOT_H
#define PLOT_H

#include "comparison/comparison.h"
#include "verdicts/row_table.h"
#include "verdicts/timeline.h"

enum { PLOT_RUNS = 3 }; /* least number of runs in a timeline */

/* Plot the rows from first to end of the table, of one benchmark in one place:
   curves over sizes (two at least), and a band for the runs of each variant.
   The plot goes into the page, or into the file at path, whose name ends in
   ".png", ".pdf" or ".svg"; the other one is NULL. */
bool plot_curves(FILE *page, const char *path, const struct row_table *t,
                 size_t first, size_t end, char why[WHY]);

/* Plot the ratios of a comparison's rows over their sizes with their intervals, a curve for
   each of the first benchmarks and places, and the margin as a band.  It goes into the page,
   and number makes its parts unlike those of other such plots. */
bool plot_ratios(FILE *page, const struct comparison *c, int number,
                 char why[WHY]);

/* Plot a point for each run, into the page. */
bool plot_timeline(FILE *page, const struct timeline *t,
                   const struct variant *variant, char why[WHY]);

#endif
