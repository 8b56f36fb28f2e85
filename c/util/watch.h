/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * watch.h - what looks on while the core measures, plugged in by one table.
 *
 * A watcher is a folder of c/watch: what a hang or a crash says, which devices carry the
 * bytes, counted events, the files that results go to.  The core calls these functions at
 * the moments that they are named after, in the order of the table, and knows no watcher by
 * name.  Each of them may be NULL.  A watcher keeps its own state; one run ends before the
 * next begins.
 */
#ifndef WATCH_H
#define WATCH_H

#include <stdbool.h>

#include "base/messages.h"
#include "family.h"

struct cell;

/* The counts of a row begin at 0; a batch begins, and has ended; it counts for the row. */
enum batch_moment { BATCH_CLEAR, BATCH_START, BATCH_STOP, BATCH_KEEP };

/* What became of the run, as far as it is known. */
struct ending {
    enum exit_code code;
    bool complete; /* every row was measured */
    const struct rows
        *rows; /* all of them; the last rows->left_out were not measured */
};

/* Codes are EXIT_OK, or that to leave with, said why. */
struct watcher {
    /* The options are known; MPI has not started.  close follows in any case. */
    enum exit_code (*begin)(const struct context *c);

    /* MPI runs, and how many ranks there are is known: can what was asked for be done?
       Errors of the user come before any work.  Collective; codes are alike on all ranks. */
    enum exit_code (*open)(const struct context *c);

    /* The ranks are placed.  Collective. */
    void (*placed)(const struct context *c);

    /* A row's data was verified, and its measurement begins.  Collective. */
    void (*row)(const struct context *c, struct result *result);

    /* Outside of what is timed. */
    void (*batch)(enum batch_moment moment);

    /* The row was measured; cells has the figures that the table prints.  Collective. */
    void (*measured)(const struct context *c, struct result *result,
                     const struct cell *cells);

    /* After the last row, or after what ended the run before it; MPI still runs. Collective;
       codes may differ among ranks. */
    enum exit_code (*end)(const struct context *c, const struct ending *ending);

    /* After MPI_Finalize, or without MPI: the code is final but for what goes wrong here. */
    enum exit_code (*close)(const struct context *c, enum exit_code code);
};

/* The table, which ends with NULL: c/watch/watchers.c.  A program that is linked with an empty
   one measures and prints its table. */
extern const struct watcher *const watchers[];

/* Call them all.  The first code that is not EXIT_OK ends begin and open; end and close go on,
   and return the first one, code included. */
enum exit_code watch_begin(const struct context *c);
enum exit_code watch_open(const struct context *c);
void watch_placed(const struct context *c);
void watch_row(const struct context *c, struct result *result);
void watch_batch(enum batch_moment moment);
void watch_measured(const struct context *c, struct result *result,
                    const struct cell *cells);
enum exit_code watch_end(const struct context *c, const struct ending *ending);
enum exit_code watch_close(const struct context *c, enum exit_code code);

#endif
