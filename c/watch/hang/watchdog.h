/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * watchdog.h - reports the position of every rank when nothing moves, and ends
 *              the job.
 *
 * The signal handler of a timer reads what the process is doing (job/progress.h) and the
 * counters that the loop control advances anyway, eight times in one timeout.  It does not
 * call MPI, and there is no second thread: a program with threads would have to ask MPI for
 * a thread level, and Open MPI 4.1 then takes 130 ns longer for a small message.  Each rank
 * watches itself; a job in which one rank hangs stops on all.
 */
#ifndef WATCHDOG_H
#define WATCHDOG_H

#include "base/messages.h"

/* Begin to watch.  Without progress for timeout_s seconds the job ends with exit code 2; 0:
   never.  A rank that waits for others, or a slow phase, has ten times as long, since only
   others know whether they make progress; the start of MPI at least 30 s.  progress_begin
   was called. */
void watchdog_begin(double timeout_s);
void watchdog_end(void);

/* The remedies for E15 in MPI_Init, and in MPI_Finalize. */
extern const char watchdog_at_start[], watchdog_at_end[];

/* message_print for a signal handler. */
enum exit_code watchdog_say(enum message_id id, const char *text);

#endif
