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

enum { PAGE_NUMBER = 80 };

/* Write a value with the digits that are known of it, but two at least, if it lies somewhere
   in an interval of this width; with two decimals if the width is 0.  Returns text. */
const char *page_number(char text[PAGE_NUMBER], double value, double width);

/* Write an interval around a value, as "1.19-1.22" with a dash. */
const char *page_range(char text[PAGE_NUMBER], double value, double low,
                       double high);

#endif
