/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plot.h - what gnuplot draws of results, as an SVG element within an HTML page or as a file.
 *
 * False: why[] says why gnuplot drew nothing.  With too little to draw nothing is written,
 * and true.
 */
#ifndef PLOT_H
#define PLOT_H

#include "row_table.h"
#include "timeline.h"

enum { PLOT_LAUNCHES = 3 }; /* of a timeline, at least */

/* Rows from first to end of the table, of one benchmark in one place: curves over sizes, a
   band for the launches of each subject; two sizes at least.  Into the page, or into the
   file at path, whose name says the form: ".png", ".pdf", ".svg"; the other is NULL. */
bool plot_curves(FILE *page, const char *path, const struct row_table *t,
                 size_t first, size_t end, char why[WHY]);

/* A point for each launch, into the page. */
bool plot_timeline(FILE *page, const struct timeline *t,
                   const struct subject *subject, char why[WHY]);

#endif
