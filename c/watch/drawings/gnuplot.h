/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gnuplot.h - running gnuplot: without a shell, without a file of ours that
 *             is left over, without the user's own settings.
 */
#ifndef GNUPLOT_H
#define GNUPLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Is there one in PATH? */
bool gnuplot_is_there(void);

/* A single-quoted string of gnuplot's, in which nothing but a quote has a meaning. */
void gnuplot_quote(FILE *to, const char *text);

/* An empty script; NULL, and errno: there is no place for it. */
FILE *gnuplot_begin(void);

/* Have the script draw a "png", "pdf" or "svg". */
void gnuplot_terminal(FILE *script, const char *form);

/* Have it carry out the script, from its beginning; what it prints goes to *to, each line
   after "# ", so that readers of the table skip it.  It ends at the first error.  False:
   why[] says what it said. */
bool gnuplot_run(FILE *script, FILE *to, char *why, size_t room);

#endif
