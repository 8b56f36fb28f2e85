/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_page.h - results as a page: the answer on the first screen, then what was measured,
 *                 row by row and curve by curve.
 */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "comparison/comparison.h"
#include "text/document.h"

struct report {
    const char *title; /* NULL: the names of the variants */
    const struct row_table *table;
    struct comparisons all; /* each variant but the first against it; without
                               rows where they cannot be compared */
    char (*why)[WHY];       /* then why, for each of them */
    /* What stands before and after all of it; NULL: nothing, and the page begins with the
       comparisons. */
    const struct document *answer, *rules;
};

/* Write a struct report.  Returns true, as write_file wants. */
bool report_page(FILE *to, const void *report);

#endif
