/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * repetition_print.h - repeated runs as one table that readers of OSU tables can read,
 *                      and as JSON.
 */
#ifndef REPETITION_PRINT_H
#define REPETITION_PRINT_H

#include <stdio.h>

#include "repetition.h"

/*
 * The table of the first run, with the median over runs in place of its first value, and
 * five columns of ours in place of the others.  Lines that begin with "# Repeat:",
 * "# Apart:", "# Disturbed:" and "# Groups:" come before the title, since nothing may follow the rows; lines on single
 * values and after the table are left out.  Where the table of the first run is unknown,
 * or has not one line for each row, rows are named as in compare.
 */
void repetition_text(FILE *to, const struct repetition *r);

/* Everything of a struct repetition, the runs included, as doc/repeat.schema.json has it.  False: it could not
   be written. */
bool repetition_json(FILE *to, const void *repetition);

#endif
