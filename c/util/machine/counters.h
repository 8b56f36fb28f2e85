/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * counters.h - option -P: events of the CPU or the kernel, counted by PAPI.
 *
 * Every rank counts for the thread that calls MPI, in PAPI's default domain
 * (not in the kernel), during the timed batches of a row.  That includes the
 * start of a batch (and of each lap, if the loop synchronizes ranks), the
 * sample of a batch that is dropped, and all its laps.  It excludes all between
 * batches and rows: warm-up, verification, statistics, the harness's own
 * communication.  For an overlapped operation it is the pass with computation.
 */
#ifndef COUNTERS_H
#define COUNTERS_H

#include "base/fresh_file.h"
#include "base/messages.h"
#include "job/world.h"
#include "options/settings.h"

/* An event of -P, summed over the ranks. */
struct event_count {
    const char *name;
    double total; /* NaN: a rank lost its count */
};

struct counters {
    const struct settings *settings;
    int n;                    /* number of events; 0: nothing is counted */
    int set;                  /* event set of PAPI */
    double mine[EVENTS_MAX];  /* this rank's counts in the row; NAN: lost */
    double batch[EVENTS_MAX]; /* and in the last batch */
    struct fresh_file file;   /* of rank 0, from the first row on */
    struct event_count sum[EVENTS_MAX];
};

/* Was this built with PAPI? */
bool counters_are_built(void);

/* Begin; output_open looks at the file.  Returns EXIT_OK, or the exit code after a message.
   Collective. */
enum exit_code counters_open(struct counters *c, const char *program,
                             const struct settings *s,
                             const struct world *world);

/* Set the counts to 0; count a batch; it has ended; its counts are the row's. */
void counters_clear(struct counters *c);
void counters_start(struct counters *c);
void counters_stop(struct counters *c);
void counters_keep(struct counters *c);

/* The heading of the block of a row. */
struct counted_row {
    const char *type;    /* NULL: all rows have the same */
    const size_t *bytes; /* NULL: rows have no size */
    long laps;
};

/* The row is complete: rank 0 writes its block; c->sum has the sums over ranks. Collective. */
void counters_row(struct counters *c, const struct world *world,
                  const struct counted_row *row);

/* Put the file in its place.  Returns code or, if that is EXIT_OK and the file could not
   be written, the code of E21 after its message. */
enum exit_code counters_close(struct counters *c, const char *program,
                              enum exit_code code);

#endif
