/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run.h - one run of a program, from the start of MPI to its end.
 */
#ifndef RUN_H
#define RUN_H

#include "bench.h"
#include "job/startup.h"

/* How it wants MPI to be started: bits of startup_how. */
unsigned run_how(const struct bench *b, const struct settings *s);

/* Read the file of --sizes=@FILE, if there is one: rank 0 does, or this process where world is
   NULL.  Returns the code to leave with on all ranks, or EXIT_OK; said why.  Collective. */
enum exit_code run_read_sizes(struct settings *s, const struct world *world);

/* Collective; returns the exit code, the same on every rank.  Starts MPI, unless *startup
   has begun.  argc and argv: the whole command line, of which *s was made.  sum: becomes the
   verified iterations of all rows, and those of them with wrong data; or NULL. */
enum exit_code run_program(const struct bench *b, struct settings *s,
                           struct startup *startup, int argc, char **argv,
                           struct verified *sum);

#endif
