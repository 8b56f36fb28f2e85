/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * comparison_gaps.h - what was to be compared and could not be: a verdict on the rest says
 *                     nothing about it.
 *
 * comparison_make collects the gaps, and comparison_remarks and comparison_faults tell them.
 */
#ifndef COMPARISON_GAPS_H
#define COMPARISON_GAPS_H

#include "comparison.h"

/* Of the rows of a run only those of this variant count: the other one lacks the row. */
void comparison_gaps_lone(struct comparison *c, const struct run_row *first);

/* After the rows of c were made: add the rows of which no run of a variant counts. */
void comparison_gaps_make(struct comparison *c);

/* Write a sentence for each gap, after begin: rows of one benchmark and place that lack the
   same, and benchmarks without any row.  Returns how many there are. */
size_t comparison_gaps_print(FILE *to, const struct comparison *c,
                             const char *begin);

/* Why it is one: "suspect in all runs of old, missing in all runs of new". */
const char *comparison_gap_words(const struct comparison *c,
                                 const struct comparison_lone *lone,
                                 char text[240]);

/* There is no row in common: why[] says so, and the first gap.  Returns false. */
bool comparison_gaps_refuse(const struct comparison *c, char why[WHY]);

#endif
