/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plot.h - charts of results within a page.  What has fewer than two points is not drawn, and
 *          leaves nothing on the page.
 */
#ifndef PLOT_H
#define PLOT_H

#include "comparison/comparison.h"
#include "results/row_table.h"
#include "verdicts/timeline.h"

/* Plot the rows from first to end of the table, of one benchmark in one place:
   curves over sizes, and a band for the runs of each variant. */
void plot_curves(FILE *page, const struct row_table *t, size_t first,
                 size_t end);

/* Plot the ratios of a comparison's rows over their sizes: a curve for each benchmark and
   place of the table, the intervals as bands, and the margin. */
void plot_ratios(FILE *page, const struct row_table *t,
                 const struct comparison *c);

/* Plot a point for each run. */
void plot_timeline(FILE *page, const struct timeline *t,
                   const struct variant *variant);

#endif
