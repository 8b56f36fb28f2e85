/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * graph.h - -G: drawings of the rows by gnuplot, on rank 0.
 *
 *   NAME.png            figure against size: the table's and, over laps, the
 *                       median with its 95 % interval
 *   NAME-SIZE.png       the samples of a row in the order of measuring
 *   NAME-TYPE-SIZE.png  the same where -T names several types
 *
 * in the current directory, in place of what is there; a program without sizes
 * has only its samples, in NAME.png.  "tty" is the first of these in
 * characters, after the table.
 *
 * While the run lasts, finished rows go into a script without a name in the
 * file system; nothing else runs during the measurement.
 */
#ifndef GRAPH_H
#define GRAPH_H

#include "base/messages.h"
#include "family.h"
#include "report.h"

struct graph_point {
    int curve; /* points of one type and one kind; numbered as they come up */
    enum element type;
    char kind
        [48]; /* "others=2", "window=64": what a row has besides; "": nothing */
    size_t bytes;
    double figure, median, low, high;
};

struct graph {
    const struct context *context;
    const struct report_table *table; /* of which the first column is drawn */
    FILE *script;                     /* NULL: no -G */
    struct graph_point *point;
    int points, curves;
};

/* EXIT_OK, or the code to leave with; said why.  c and table need only be complete
   when the first row is. */
enum exit_code graph_open(struct graph *g, const struct context *c,
                          const struct report_table *table);

/* Has the file at path, NULL for none, the ending of drawings that are asked for? */
bool graph_names(const struct settings *s, const char *path);

/* The next finished row; its samples are read.  kind: what it has besides type and
   size, for its file, its curve and the heading; "": nothing. */
void graph_row(struct graph *g, const struct result *r, const char *kind);

/* Draw, when no rank waits for another any more: what goes wrong is a
   warning, since the figures have been printed. */
void graph_finish(struct graph *g);

#endif
