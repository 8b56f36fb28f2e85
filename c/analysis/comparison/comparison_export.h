/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * comparison_export.h - a comparison for other programs: a CI job, a script.
 *
 * False: the file could not be written.
 */
#ifndef COMPARISON_EXPORT_H
#define COMPARISON_EXPORT_H

#include "comparison.h"

/* JUnit's XML: a suite for each of struct comparisons, a case for each class with its rows as
   text; slower ones have failed, undecided ones were skipped, and what fails a gate besides
   (NOTE_FAULT) is an error each. */
bool comparison_junit(FILE *to, const void *comparisons);

/* Rows, verdicts and what they rest on, of struct comparisons as one JSON object. */
bool comparison_json(FILE *to, const void *comparisons);

#endif
