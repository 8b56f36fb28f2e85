/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * answer_page.h - a comparison on the first screen of a page: the sentence, the table of
 *                 size classes, and one plot next to it or, on a phone, below.
 */
#ifndef ANSWER_PAGE_H
#define ANSWER_PAGE_H

#include "comparison/comparison.h"

/* Print them for a comparison, which has rows and this number on the page.  draws: gnuplot
   is there.  False: why[] says why the plot could not be drawn. */
bool answer_page(FILE *to, const struct comparison *c, int number, bool draws,
                 char why[WHY]);

#endif
