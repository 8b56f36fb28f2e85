/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * summary.h - what became of each part of the job, in lines that begin with "# suite: ".
 */
#ifndef SUITE_SUMMARY_H
#define SUITE_SUMMARY_H

#include "part.h"

/*
 * What programs of one job write must not be written by two of them.
 */

enum { FILES_WHY = 5000 };

/* Does an option write files whose names do not tell programs apart?  Then why[] says it. */
bool files_of_one(const struct part *part, int n, char why[FILES_WHY]);

/* Make the folders of the result files.  Would two programs write one file, by whatever names?
   Then why[] says it.  On one rank. */
bool files_twice(const struct part *part, int n, char why[FILES_WHY]);

/* A line for each part, and their sum. */
void summary_show(const struct part *part, int n, double seconds);

/* How far the job came, where it ends in part number at (from 0): a line of the rank that
   dies and, of the one that leads, those of the parts before it too.  They are said by
   whatever ends the job, until progress.last_words is NULL. */
void summary_last_words(const struct part *part, int n, int at, double seconds,
                        bool leads);

/* That of the worst failure; EXIT_CANNOT_RUN: nothing ran. */
enum exit_code summary_code(const struct part *part, int n);

#endif
