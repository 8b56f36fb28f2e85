/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * crash.h - a process that ends before its time says first what it was doing.
 */
#ifndef CRASH_H
#define CRASH_H

/* From now on SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT are reported (E38): the rank, its row
   and the MPI call; and so is a call of exit, whose code is then E38's.  Then the signal goes
   where it would have gone, to a handler of the MPI library or to a core file.  SIGTERM, SIGINT
   and SIGHUP are not reported, but files that are whole get their names (record/fresh_file.h).
   After the start of MPI, which sets such handlers. */
void crash_begin(void);
void crash_end(void);

#endif
