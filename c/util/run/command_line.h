/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * command_line.h - what is settled before MPI is started: options, help, and
 *                  what this build cannot do.
 *
 * Every rank reads the same words and comes to the same end; only the process
 * that the launcher calls rank 0 speaks.
 */
#ifndef COMMAND_LINE_H
#define COMMAND_LINE_H

#include "bench.h"
#include "base/messages.h"

/* Fill *s.  true: go on; false: leave with *code, all has been said. */
bool command_line_read(const struct bench *b, int argc, char **argv,
                       struct settings *s, enum exit_code *code);

/* What does not fit together, or not with this program; NULL if all does. */
const char *command_conflict(const struct bench *b, const struct settings *s);

/* Can this build, with this MPI library, do what is asked?  EXIT_OK, or the
   code to leave with. */
enum exit_code command_line_check(const struct bench *b,
                                  const struct settings *s);

/* What is allowed and probably not meant, once it is known that there is a GPU. */
void command_line_warn(const struct bench *b, const struct settings *s);

/* Does the program run on so many ranks?  EXIT_OK, or the code to leave with;
   who speaks says why. */
enum exit_code command_line_check_ranks(const struct bench *b,
                                        const struct settings *s, int ranks,
                                        bool speaks);

#endif
