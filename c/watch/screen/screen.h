/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * screen.h - what a person sees who reads along at a terminal: lines that fit its width, errors
 *            in color, and every 30 s how far the run is.
 *
 * Launchers give a rank pipes, and pass on what comes out of them.  So a pipe is followed to
 * the launcher that reads it, and on to where that writes: to a terminal, or to a file or another
 * program, for which nothing is changed.  This takes up to 1 ms, so only the process that the
 * launcher calls rank 0 does it.  The others learn from rank 0 once MPI runs.  Where the launcher
 * is on another host than rank 0, nobody knows of a terminal, and there is none.
 */
#ifndef SCREEN_H
#define SCREEN_H

#include <stddef.h>

#include "options/settings.h"
#include "watch.h"

extern const struct watcher screen_watcher;
extern const struct option_part screen_options;

/* From now on, what goes to standard output and standard error is as a terminal shows it, if one
   does.  Before the process prints anything; later calls do nothing. */
void screen_begin(void);

/* Of the terminal that shows standard output, on rank 0; 0: none does. */
size_t screen_columns(void);

/* Write the lines to standard error, as all others there.  For signal handlers. */
void screen_say(const char *lines);

/* Lines that fit the width of a terminal.  A sentence is folded at blanks.  Of a table that is too
   wide columns lose the blanks that neither their headings nor numbers of ten digits need; one
   that does not fit then stays as it is. */
enum { FIT_COLUMNS = 40 };

/* The table that is printed: where the cells of its columns end, and how many blanks before each
   are left out; n is 0: it fits. */
struct fit {
    int n;
    size_t end[FIT_COLUMNS], drop[FIT_COLUMNS];
};

/* The line of so many bytes as it is shown, without its end, where width columns are.  Returns the
   bytes in shown; what finds no room is cut. */
size_t fit_line(struct fit *table, char *shown, size_t room, const char *line, size_t bytes,
                size_t width);

#endif
