/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fit.h - lines that fit the width of a terminal.
 *
 * A sentence is folded at blanks.  Of a table that is too wide columns lose the blanks that neither
 * their headings nor numbers of ten digits need; one that does not fit then stays as it is.
 */
#ifndef FIT_H
#define FIT_H

#include <stddef.h>

enum { FIT_COLUMNS = 40 };

/* The table that is printed: where the cells of its columns end, and how many blanks before each
   are left out; n is 0: it fits. */
struct fit {
    int n;
    size_t end[FIT_COLUMNS], drop[FIT_COLUMNS];
};

/* The line of so many bytes as it is shown, without its end, where width columns are.  Returns the
   bytes in shown; what finds no room is cut. */
size_t fit_line(struct fit *table, char *shown, size_t room, const char *line,
                size_t bytes, size_t width);

/* Append bytes to the n in shown; returns how many there are then. */
size_t fit_append(char *shown, size_t room, size_t n, const char *text,
                  size_t bytes);

#endif
