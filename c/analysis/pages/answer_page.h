/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * answer_page.h - a comparison on the first screen of a page: the sentence, the table of
 *                 size classes, and one plot next to it or, on a phone, below.
 */
#ifndef ANSWER_PAGE_H
#define ANSWER_PAGE_H

#include "comparison/comparison.h"
#include "verdicts/row_table.h"

/* Print them for a comparison, which has rows, all of which are in the table. */
void answer_page(FILE *to, const struct row_table *t,
                 const struct comparison *c);

#endif
