/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hang.h - ends the job when nothing moves, and says where every rank is then (E15); and what a
 *          process was doing that a signal, or a call of exit, ends before its time (E38, E04).
 */
#ifndef HANG_H
#define HANG_H

#include "options/settings.h"
#include "watch.h"

extern const struct watcher hang_watcher;
extern const struct option_part hang_options;

/* What was asked for. */
struct hang_asked {
    double timeout_s; /* without progress, after which the job is aborted; 0: never */
};

/* Begin to watch.  Without progress for timeout_s seconds the job ends with exit code 2; 0:
   never.  A rank that waits for others, or a slow phase, has ten times as long, since only
   others know whether they make progress; the start of MPI at least 30 s.  progress_begin
   was called. */
void watchdog_begin(double timeout_s);
void watchdog_end(void);

/* The remedies for E15 in MPI_Init, and in MPI_Finalize. */
extern const char watchdog_at_start[], watchdog_at_end[];

#endif
