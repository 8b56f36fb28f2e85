/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * comparison_print.h - a comparison for people.
 */
#ifndef COMPARISON_PRINT_H
#define COMPARISON_PRINT_H

#include "comparison.h"

/* Tables of plain text, a section for each benchmark, and the sum. */
void comparison_text(FILE *to, const struct comparison *c);

/* The same of n comparisons in Markdown, to be pasted; those without rows are left out.
   False, here and below: it could not be written. */
bool comparison_markdown(FILE *to, const struct comparison *c, int n);

/* Rows first to end of one table, neighbours alike together: "1 to 64 slower,
   128 undecided". */
void comparison_print_outcomes(FILE *to, const struct comparison *c,
                               size_t first, size_t end);

#endif
