/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * command_line.h - from argv to settings that make sense.
 */
#ifndef COMMAND_LINE_H
#define COMMAND_LINE_H

#include <stdbool.h>

#include "base/messages.h"
#include "bench.h"

/* Read the command line.  true: go on, *s is filled.  false: print what was
   asked for, or what is wrong, was done, and *code is the code to leave with.
   settings_release follows in either case. */
bool command_line_read(const struct bench *b, int argc, char **argv,
                       struct settings *s, enum exit_code *code);

/* What this build cannot do, and what has no effect; before MPI is started.  EXIT_OK,
   or the code to leave with; the first rank says why. */
enum exit_code command_line_check(const struct bench *b,
                                  const struct settings *s);

/* Can it be done on so many ranks?  As above; said if speaks. */
enum exit_code command_line_check_ranks(const struct bench *b,
                                        const struct settings *s, int ranks,
                                        bool speaks);

#endif
