/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * markup.h - text and pages of HTML, and text of XML.
 */
#ifndef MARKUP_H
#define MARKUP_H

#include <stdio.h>

/* Text, with what has a meaning in XML and HTML escaped. */
void markup_text(FILE *to, const char *text);

/* The form, with such a text for each %s; there is nothing else that begins with %. */
void markup_print(FILE *to, const char *form, ...)
    __attribute__((format(printf, 2, 3)));

/* A page that stands by itself, for screens of any width and for print. */
void markup_begin(FILE *to, const char *title);
void markup_end(FILE *to);

#endif
