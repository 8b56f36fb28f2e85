/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * watch.h - what looks on while the core measures, plugged in by one table.
 *
 * A watcher is a folder of c/watch: what a hang or a crash says, which devices carry the bytes,
 * counted events, the files that results go to.  The core calls these functions at the moments
 * that they are named after, in the order of the table, and knows no watcher by name.  Each of
 * them may be NULL.  A watcher keeps its own state; one run ends before the next begins.
 */
#ifndef WATCH_H
#define WATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/messages.h"
#include "family.h"

struct verify;

/* A row begins; the counts of a pass begin at 0; a batch begins, and has ended; it counts. */
enum batch_moment { BATCH_ROW, BATCH_CLEAR, BATCH_START, BATCH_STOP, BATCH_KEEP };

/* What watchers have found around the job that the core makes use of. */
struct surroundings {
    /* What the job can move at most (report/result.h); zeros: unknown. */
    struct plausible_limits *limits;
    char device[128]; /* of rank 0: that carries bytes between nodes; "": unknown */
    /* Wants to know of every wrong element, as struct verify says; NULL: nobody does. */
    void (*noted)(const struct verify *v, size_t position, const char *expected, const char *got);
};

/* What became of the run, as far as it is known. */
struct ending {
    enum exit_code code;
    bool complete; /* every row was measured */
    /* The last rows->left_out were not measured; NULL: none was begun. */
    const struct rows *rows;
};

/* Codes are EXIT_OK, or that to leave with, said why. */
struct watcher {
    /* The options are known, or nothing where they are refused; MPI has not started.  close
       follows in any case. */
    enum exit_code (*begin)(const struct context *c);

    /* MPI runs, and how many ranks there are is known: can what was asked for be done?
       Errors of the user come before any work.  Collective; the code of rank 0 counts. */
    enum exit_code (*open)(const struct context *c);

    /* The ranks are placed.  Collective. */
    void (*placed)(const struct context *c, struct surroundings *around);

    /* The context is complete, and the table begins: is it what was expected?  Collective; the
       code of rank 0 counts. */
    enum exit_code (*ready)(const struct context *c);

    /* Outside of what is timed.  Collective at BATCH_ROW. */
    void (*batch)(enum batch_moment moment);

    /* The row was measured, and is printed.  Collective; but a run without rows has one
       result, whose row is NULL, on rank 0 alone. */
    void (*measured)(const struct context *c, const struct result *result);

    /* After the last row, or after what ended the run before it; MPI still runs.  Collective;
       the code of rank 0 counts. */
    enum exit_code (*end)(const struct context *c, const struct ending *ending);

    /* After MPI_Finalize, or without MPI: the code is final but for what goes wrong here. */
    enum exit_code (*close)(const struct context *c, enum exit_code code);
};

/* The table, which ends with NULL: c/watch/watchers.c.  A program that is linked with an empty
   one measures and prints its table. */
extern const struct watcher *const watchers[];

/* The watchers that have something to do at that moment. */
#define EACH_WATCHER(w, moment)                                                                    \
    for (const struct watcher *const *w = watchers; *w != NULL; w++)                               \
        if ((*w)->moment != NULL)

static inline void watch_batch(enum batch_moment moment)
{
    EACH_WATCHER (w, batch)
        (*w)->batch(moment);
}

static inline void watch_measured(const struct context *c, const struct result *result)
{
    EACH_WATCHER (w, measured)
        (*w)->measured(c, result);
}

#endif
