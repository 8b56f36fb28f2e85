/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * markup.h - text within HTML and XML.
 */
#ifndef MARKUP_H
#define MARKUP_H

#include <stdio.h>

/* Print text, which may be any bytes, and escape characters that have a meaning in XML and
   HTML.  Other control characters, which XML does not permit, become blanks. */
void markup_text(FILE *to, const char *text);

/* Print the form, with such a text for each %s; no other conversion may
   occur. */
void markup_print(FILE *to, const char *form, ...)
    __attribute__((format(printf, 2, 3)));

/* Print a word of a table, whose meaning is shown on hover if it is not known to all: a unit,
   a verdict, a heading. */
void markup_word(FILE *to, const char *word);

#endif
