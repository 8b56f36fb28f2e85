/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * validation_log.h - -clog: every wrong element, on the rank that received it.
 *
 * DIR/log-RANK.log, written only by ranks that find something wrong: for each
 * iteration a line "Size: N, Iteration:0, Datatype: NAME" (0: the first verified one),
 * then Position, Expected and Actual of each difference.  Positions count bytes
 * (elements in reductions) through all blocks; the guard follows the last block.
 */
#ifndef VALIDATION_LOG_H
#define VALIDATION_LOG_H

#include <stdio.h>

#include "job/world.h"

enum { VALIDATION_LOG_LINES = 1000 }; /* at most so many lines for a row */

struct validation_log {
    const char *folder; /* NULL: no log */
    int rank;
    FILE *file;     /* log of the row under way, if something was wrong */
    long iteration; /* of the row */
    long headed;    /* the last one that has a line of its own */
    size_t lines;
};

/* Make the folder, which must not exist, on every node.  Returns EXIT_OK, or
   the exit code after a message.  Collective. */
enum exit_code validation_log_begin(struct validation_log *log,
                                    const char *folder,
                                    const struct world *world,
                                    const char *program);

/* Log one wrong element of a row; then the end of that row. */
void validation_log_add(struct validation_log *log, size_t bytes,
                        const char *type, size_t position, const char *expected,
                        const char *got);
void validation_log_row_end(struct validation_log *log);

#endif
