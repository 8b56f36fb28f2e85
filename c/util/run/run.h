/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run.h - one run of a program, from the command line to the exit code.
 */
#ifndef RUN_H
#define RUN_H

#include <stdbool.h>

#include "base/messages.h"
#include "bench.h"
#include "job/startup.h"

/* --- From argv to settings that make sense --- */

/* Read the command line.  true: go on, *s is filled.  false: print what was
   asked for, or what is wrong, was done, and *code is the code to leave with.
   settings_release follows in either case. */
bool command_line_read(const struct bench *b, int argc, char **argv, struct settings *s,
                       enum exit_code *code);

/* What this build cannot do, and what has no effect; before MPI is started.  EXIT_OK,
   or the code to leave with; the first rank says why. */
enum exit_code command_line_check(const struct bench *b, const struct settings *s);

/* Can it be done on so many ranks?  As above; said if speaks. */
enum exit_code command_line_check_ranks(const struct bench *b, const struct settings *s, int ranks,
                                        bool speaks);

/* --- The run --- */

/* How it wants MPI to be started: bits of startup_how. */
unsigned run_how(const struct bench *b, const struct settings *s);

/* Read the file of --sizes=@FILE, if there is one: rank 0 does, or this process where world is
   NULL.  Returns the code to leave with on all ranks, or EXIT_OK; said why.  Collective. */
enum exit_code run_read_sizes(struct settings *s, const struct world *world);

/* Collective; returns the exit code, the same on every rank.  Starts MPI, unless *startup
   has begun.  argc and argv: the whole command line, of which *s was made.  sum: becomes the
   verified iterations of all rows, and those of them with wrong data; or NULL. */
enum exit_code run_program(const struct bench *b, struct settings *s, struct startup *startup,
                           int argc, char **argv, struct verified *sum);

#endif
