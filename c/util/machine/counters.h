/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * counters.h - -P: events of the processor or the kernel, counted by PAPI.
 *
 * Every rank counts, of the thread that calls MPI and in PAPI's default domain
 * (not in the kernel), what happens in the timed batches of a row: bringing the
 * ranks together, the lead-in, all laps.  Not counted are warm-up, verification,
 * statistics, the harness's own communication.  Of an overlapped operation it is the
 * pass with computation.
 */
#ifndef COUNTERS_H
#define COUNTERS_H

#include "base/messages.h"
#include "job/world.h"
#include "options/settings.h"

/* An event, summed over the ranks. */
struct event_count {
    const char *name;
    double total; /* not a number: a rank lost count */
};

struct counters {
    const struct settings *settings;
    int n;   /* events; 0: nothing is counted */
    int set; /* PAPI's */
    double mine
        [EVENTS_MAX]; /* this rank's counts in the row; NAN: they got lost */
    FILE *file;       /* rank 0 */
    struct event_count sum[EVENTS_MAX];
};

/* Was this built with PAPI? */
bool counters_are_built(void);

/* EXIT_OK, or the code to leave with; said why.  Collective. */
enum exit_code counters_open(struct counters *c, const char *program,
                             const struct settings *s,
                             const struct world *world);

/* Forget what was counted; count; pause. */
void counters_clear(struct counters *c);
void counters_start(struct counters *c);
void counters_stop(struct counters *c);

/* What the block of a row is headed by. */
struct counted_row {
    const char *type;    /* NULL: all rows have one */
    const size_t *bytes; /* NULL: rows have no size */
    long laps;
};

/* The row is complete: rank 0 writes its block; c->sum has the sums over ranks.
   Collective. */
void counters_row(struct counters *c, const struct world *world,
                  const struct counted_row *row);

/* Close the file.  Returns code or, where that is EXIT_OK and the file could not be
   written, E21's; said.  Collective. */
enum exit_code counters_close(struct counters *c, const struct world *world,
                              const char *program, enum exit_code code);

#endif
