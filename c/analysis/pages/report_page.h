/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_page.h - the parts of a report that are HTML.
 */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "comparison/comparison.h"
#include "verdicts/row_table.h"

/* Print what was measured, by whom and where: a column for each variant, with
   differences marked. */
void report_page_variants(FILE *to, const struct row_table *t);

/* Print the rows from first to end: the values of each variant, and the ratio
   of each further variant to the first.  with[k - 1] is the comparison of
   variant k; its rows are NULL if there is none. */
void report_page_table(FILE *to, const struct row_table *t, size_t first,
                       size_t end, const struct comparison *with);

/* Print the rows from first to end, of one benchmark in several places, as one
   matrix for each variant: a column for each place, a row for each size.
   Prints nothing for one place. */
void report_page_places(FILE *to, const struct row_table *t, size_t first,
                        size_t end);

/* Print the runs in the order of time, and what changed meanwhile; nothing if there are too
   few, or no file says when its run started. */
void report_page_timeline(FILE *to, const struct row_table *t);

/* Print a ratio and its interval. */
void report_page_ratio(FILE *to, const struct time_ratio *ratio);

#endif
