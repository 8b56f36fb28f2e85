/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * graph.h - -G: drawings of the rows by gnuplot, on rank 0.
 *
 *   NAME.png            figure against size: the table's and, over iterations, the
 *                       median with its 95 % interval
 *   NAME-SIZE.png       the samples of a row in the order of measuring
 *   NAME-TYPE-SIZE.png  the same where -T names several types
 *
 * in the current directory, in place of what is there; a program without sizes has only its
 * samples, in NAME.png.  "tty" is the first of these in characters, after the table.
 *
 * While the run lasts, finished rows go into a script without a name in the file system; nothing
 * else runs during the measurement.
 */
#ifndef GRAPH_H
#define GRAPH_H

#include <stdbool.h>
#include <stdio.h>

#include "options/settings.h"
#include "watch.h"

/* Bits: a run may draw several. */
enum graph_kind {
    GRAPH_TTY = 1 << 0,
    GRAPH_PNG = 1 << 1,
    GRAPH_PDF = 1 << 2,
    GRAPH_SVG = 1 << 3,
};

/* What was asked for. */
struct graph_asked {
    unsigned forms;
};

struct graph_point {
    int curve; /* points of one type and one kind; numbered as they come up */
    enum element type;
    char kind[48]; /* "others=2", "window=64": what a row has besides; "": nothing */
    size_t bytes;
    double figure, median, low, high;
};

struct graph {
    const struct context *context;
    FILE *script;   /* NULL: no -G */
    unsigned forms; /* those that were asked for */
    struct graph_point *point;
    int points, curves;
};

/* Has the file at path, NULL for none, the ending of drawings that are asked for? */
bool graph_names(const struct settings *s, const char *path);

/* A single-quoted string of gnuplot's, in which nothing but a quote has a meaning. */
void graph_quote(FILE *to, const char *text);

/* The next finished row; its samples are read.  kind: what it has besides type and size, for
   its file, its curve and the heading; "": nothing. */
void graph_row(struct graph *g, const struct result *r, const char *kind);

extern const struct watcher graph_watcher;
extern const struct option_part graph_options;

#endif
