/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * watchdog.h - reports the position of every rank when nothing moves, and ends
 *              the job.
 *
 * The signal handler of a timer reads the counters that the loop control advances
 * anyway, eight times in one timeout.  It does not call MPI, and there is no second
 * thread: a program with threads would have to ask MPI for a thread level, and Open
 * MPI 4.1 then takes 130 ns longer for a small message.  Each rank watches itself;
 * a job in which one rank hangs stops on all.
 *
 * This module holds the only mutable state of the process outside main: what is
 * being done now, for its own report and for that of the error handler.
 */
#ifndef WATCHDOG_H
#define WATCHDOG_H

#include <pthread.h>
#include <stddef.h>

#include "base/messages.h"
#include "timing/laps.h"

/* Begin to watch.  Without progress for timeout_s seconds the job ends with
   exit code 2; 0: never.  program must exist as long as the watch.  rank: as the
   launcher counts, until MPI is there. */
void watchdog_begin(const char *program, int rank, double timeout_s);
void watchdog_end(void);

/* Name what is done from now on; phase must be a constant string. */
void watchdog_phase(const char *phase);

/* The same for MPI_Init, which waits until the launcher has started all ranks.  If it
   never returns, the job ends after 30 s at the earliest, however short the timeout is. */
void watchdog_start(const char *phase);

/* The same for MPI_Finalize. */
void watchdog_finish(void);

/* The phase is long, but makes progress. */
void watchdog_moved(void);

/* Begin or end a phase without visible progress: the timeout is ten times longer. */
void watchdog_slow(bool slow);

/* This rank has done its part of a batch and waits for the others.  It may wait
   ten times as long, since only they know whether they make progress. */
void watchdog_wait(void);

/* The thread whose call and stack are reported; first, that of watchdog_begin. */
void watchdog_reporter(pthread_t thread);

/* Name the row and the laps that are under way from now on; and how many messages, or blocks
   of a collective, an iteration sends and receives on this rank; 0 and 0: not known. */
void watchdog_row(size_t bytes, const struct laps *laps, int sends,
                  int receives);

/* The same iterations are made by these laps, of a thread. */
void watchdog_laps(const struct laps *laps);

/* What the process that ends the job early writes to stdout, maybe in a signal handler;
   NULL: nothing.  Files of results that are whole get their names then. */
extern const char *watchdog_last_words;
void watchdog_say_last_words(void);

/* What messages about this process call it: the program, and the number of its rank. */
const char *watchdog_program(void);
void watchdog_set_rank(int rank);

/* Write "phase=...; size=...; iterations=...; sent=...; received=...;": what this rank has done
   in this phase of the row.  Safe in a signal handler. */
void watchdog_describe(char *text, size_t room);

/* Append where this rank is, for its last message: "rank=...; host=...; phase=...; ...
   call=...; stack=...;".  For a signal handler. */
void watchdog_locate(char *text, size_t room);

/* message_print for a signal handler. */
enum exit_code watchdog_say(enum message_id id, const char *text);

#endif
