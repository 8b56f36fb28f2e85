/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * page.h - what all parts of a page in HTML share: its look, its numbers and its words.
 *
 * A page needs no other file and no script.  It suits screens of any width, light and dark
 * ones, and print.
 */
#ifndef PAGE_H
#define PAGE_H

#include <stdio.h>

void page_begin(FILE *to, const char *title);
void page_end(FILE *to);

/* Print a value with the digits that are known of it, but two at least, if it lies somewhere
   in an interval of this width; with two decimals if the width is 0. */
void page_number(FILE *to, double value, double width);

/* Print an interval around a value, as "1.19-1.22". */
void page_range(FILE *to, double value, double low, double high);

/* Print a word of a table, whose meaning is shown on hover if it is not known to all: a unit,
   a verdict, a heading. */
void page_word(FILE *to, const char *word);

#endif
