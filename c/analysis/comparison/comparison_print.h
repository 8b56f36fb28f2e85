/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * comparison_print.h - a comparison for people.
 */
#ifndef COMPARISON_PRINT_H
#define COMPARISON_PRINT_H

#include "comparison.h"

/* Plain text: the answer (comparison_answer.h), and with rows their tables as well, a
   section for each benchmark and place. */
void comparison_text(FILE *to, const struct comparison *c, bool rows);

/* Both of all struct comparisons in Markdown, to be pasted; those without rows are left out.
   False: it could not be written. */
bool comparison_markdown(FILE *to, const void *comparisons);

#endif
