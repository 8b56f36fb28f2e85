/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * comparison_print.h - a comparison for people, and for a CI job.
 */
#ifndef COMPARISON_PRINT_H
#define COMPARISON_PRINT_H

#include "comparison.h"

/* Tables of plain text, a block for each benchmark, and the sum. */
void comparison_text(FILE *to, const struct comparison *c);

/* The same of n comparisons in Markdown, to be pasted; those without rows are left out.
   False, here and below: it could not be written. */
bool comparison_markdown(FILE *to, const struct comparison *c, int n);

/* Rows first to end of one table, neighbours alike together: "1 to 64 by itself slower,
   128 faster". */
void comparison_print_outcomes(FILE *to, const struct comparison *c,
                               size_t first, size_t end);

/* JUnit's XML: a suite for each of n comparisons, a case for each row; slower ones have
   failed, undecided ones were skipped; it is said what measuring again has told.
   Rows that the first has and the other lacks are errors. */
bool comparison_junit(FILE *to, const struct comparison *c, int n);

/* Rows, verdicts and what they rest on, of n comparisons as one JSON object. */
bool comparison_json(FILE *to, const struct comparison *c, int n);

#endif
