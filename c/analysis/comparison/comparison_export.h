/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * comparison_export.h - a comparison for other programs: a CI job, a script.
 *
 * False: the file could not be written.
 */
#ifndef COMPARISON_EXPORT_H
#define COMPARISON_EXPORT_H

#include "comparison.h"

/* JUnit's XML: a suite for each of n comparisons, a case for each class with its rows as
   text; slower ones have failed, undecided ones were skipped.  Rows that one of the two
   lacks are errors. */
bool comparison_junit(FILE *to, const struct comparison *c, int n);

/* Rows, verdicts and what they rest on, of n comparisons as one JSON object. */
bool comparison_json(FILE *to, const struct comparison *c, int n);

#endif
