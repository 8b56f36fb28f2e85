/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_page.h - the parts of a report that are HTML.
 */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "comparison.h"
#include "row_table.h"

/* What was measured, by whom, where: a column for each subject, what differs marked. */
void report_page_subjects(FILE *to, const struct row_table *t);

/* Of a subject's comparison: in how many rows it is faster, slower; without rows why it
   could not be compared. */
void report_page_sum(FILE *to, const struct comparison *c, const char *subject,
                     const char *why);

/* Rows from first to end: figures of each subject, and what the comparisons of the
   second and all further ones with the first say; with[k - 1] is that of subject k, its
   rows NULL where there is none. */
void report_page_table(FILE *to, const struct row_table *t, size_t first,
                       size_t end, const struct comparison *with);

/* Rows from first to end, of one benchmark in several places, as one matrix for each
   subject: a column for each place, a row for each size.  One place: nothing. */
void report_page_places(FILE *to, const struct row_table *t, size_t first,
                        size_t end);

/* The launches in the order of time, and what changed meanwhile.  False: why[] says why
   they could not be drawn; draws: gnuplot is there. */
bool report_page_timeline(FILE *to, const struct row_table *t, bool draws,
                          char why[WHY]);

/* What the figures and words are. */
void report_page_reading(FILE *to);

#endif
