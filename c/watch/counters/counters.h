/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * counters.h - option -P: events of the CPU or the kernel, counted by PAPI.
 *
 * Every rank counts for the thread that calls MPI, in PAPI's default domain (not in the kernel),
 * during the timed batches of a row.  That includes the start of a batch (and of each iteration,
 * if the loop synchronizes ranks), the sample of a batch that is dropped, and all its
 * iterations.  It excludes all between batches and rows: warm-up, verification, statistics, the
 * harness's own communication.  For an overlapped operation it is the pass with computation.
 */
#ifndef COUNTERS_H
#define COUNTERS_H

#include "options/settings.h"
#include "record/fields.h"
#include "watch.h"

enum { EVENTS_MAX = 16, EVENT_ROOM = 128 };

/* What was asked for. */
struct counters_asked {
    char event[EVENTS_MAX][EVENT_ROOM]; /* names of what is counted */
    int n;
    const char *file;
};

/* "counters" of the row that was measured last, if any are counted.  On rank 0. */
void counters_record(const struct result *result, struct fields row);

extern const struct watcher counters_watcher;
extern const struct option_part counters_options;

#endif
