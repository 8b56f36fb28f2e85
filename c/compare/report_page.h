/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_page.h - the parts of a report that are HTML.
 */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "survey.h"

/* What was measured, by whom, where: a column for each subject, what differs marked. */
void report_page_subjects(FILE *to, const struct survey *s);

/* Rows from first to end: figures of each subject, and what the comparisons of the
   second and all further ones with the first say; with[k - 1] is that of subject k, its
   rows NULL where there is none. */
void report_page_table(FILE *to, const struct survey *s, size_t first,
                       size_t end, const struct comparison *with);

/* What the figures and words are. */
void report_page_reading(FILE *to);

#endif
