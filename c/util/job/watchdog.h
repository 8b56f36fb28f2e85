/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * watchdog.h - says where every rank is when nothing moves, and ends the job.
 *
 * A timer whose signal handler looks at the counters which the loop control
 * advances anyway: eight times in one timeout, without calling MPI, and without a
 * second thread - a program with threads would have to ask MPI for a thread
 * level, and Open MPI 4.1 then takes 130 ns longer for a small message.  Each
 * rank watches itself; a job in which one rank hangs stops on all.
 *
 * This module holds the one mutable state of the process outside main: what
 * is being done right now, for its own report and for the error handler's.
 */
#ifndef WATCHDOG_H
#define WATCHDOG_H

#include <stddef.h>

#include "base/messages.h"
#include "timing/laps.h"

/* Begin to watch; no progress for timeout_s seconds ends the job with exit
   code 2.  0: never.  program must outlive the watch. */
void watchdog_begin(const char *program, int rank, double timeout_s);
void watchdog_end(void);

/* What is done from now on; phase must be a constant string. */
void watchdog_phase(const char *phase);

/* The phase is long, but it moves. */
void watchdog_moved(void);

/* Begin or end a phase without visible progress: the timeout is ten times longer. */
void watchdog_slow(bool slow);

/* This rank has done its part of a batch and waits for the others: it may take
   ten times as long, since only they know whether they move. */
void watchdog_wait(void);

/* The row and the laps that are under way from now on. */
void watchdog_row(size_t bytes, const struct laps *laps);

/* An MPI that dies of a buffer on a GPU says so: from now on SIGSEGV, SIGBUS and
   SIGABRT end this process with E04, until mem, "D-H", is NULL.  For the first laps
   only: a handler that stays could hide what it does not understand. */
void watchdog_crashes(const char *mem);

const char *watchdog_program(void);

/* "phase=...; size=...; samples to go=...;" - safe in a signal handler. */
void watchdog_describe(char *text, size_t room);

#endif
