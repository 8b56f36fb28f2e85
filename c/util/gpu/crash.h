/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * crash.h - an MPI that dies of a buffer on a GPU says so (E04): each rank that
 *           dies writes its own line.
 *
 * Watched are the first laps only, which verify every row before the title: a
 * handler that stays could hide what it does not understand.
 */
#ifndef CRASH_H
#define CRASH_H

/* Watch: SIGSEGV, SIGBUS and SIGABRT end this process with E04.  kinds: "D-H", kept. */
void crash_watch(int rank, const char *kinds);

/* End the watch. */
void crash_unwatch(void);

#endif
