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

/* Has the file at path, NULL for none, the ending of drawings that are asked for? */
bool graph_names(const struct settings *s, const char *path);

extern const struct watcher graph_watcher;
extern const struct option_part graph_options;

#endif
