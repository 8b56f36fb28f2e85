/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * comparison_print.h - a comparison for people.
 */
#ifndef COMPARISON_PRINT_H
#define COMPARISON_PRINT_H

#include "comparison.h"
#include "text/document.h"

/* Add its sentence, what to do about it (comparison_answer.h), and its remarks. */
void comparison_say(struct document *d, const struct comparison *c);

/* Add the table of its classes. */
void comparison_class_table(struct document *d, const struct comparison *c);

/* Add a sentence for each variant that failed. */
void comparisons_left_out(struct document *d, const struct comparisons *all);

/* Add all of it for struct comparisons, without those that have no rows: a title, what differs,
   both of the above, and with rows their tables as well. */
void comparisons_add(struct document *d, const struct comparisons *all,
                     bool rows);

#endif
