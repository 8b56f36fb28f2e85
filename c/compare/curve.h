/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * curve.h - a benchmark as curves over sizes, a band for the launches of each subject,
 *           by gnuplot.
 */
#ifndef CURVE_H
#define CURVE_H

#include "survey.h"

/* Rows from first to end of the survey, of one benchmark in one place, as an SVG element
   within an HTML page.  Without two sizes there is no curve, and true.  False: why[] says
   why gnuplot drew nothing. */
bool curve_svg(FILE *to, const struct survey *s, size_t first, size_t end,
               char *why, size_t room);

/* The same into a file whose name says the form: ".png", ".pdf", ".svg". */
bool curve_file(const char *path, const struct survey *s, size_t first,
                size_t end, char *why, size_t room);

#endif
