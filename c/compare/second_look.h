/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * second_look.h - rows that were slower, measured again by themselves.
 *
 * A row in a hundred may be slower by chance: what is slower stays so only if launches made
 * again say the same.
 */
#ifndef SECOND_LOOK_H
#define SECOND_LOOK_H

#include "comparison.h"

/* Decide the slower rows of c by options->again.  A row that was not measured again, or by
   so few launches that none could be called slower, stays slower.  False: why[] says why the
   launches made again cannot be compared. */
bool second_look(struct comparison *c, const struct comparison_options *options,
                 char *why, size_t room);

/* A line for each row that was looked at again; begin stands before each. */
void second_look_print(FILE *to, const struct comparison *c, const char *begin);

#endif
