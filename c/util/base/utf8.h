/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * utf8.h - text from outside, which may be any bytes, for documents, which are
 *          UTF-8.
 *
 * Arguments, paths, host names, variables and what launchers say may be Latin-1, or cut
 * within a character.  A document with one such byte cannot be read.
 */
#ifndef UTF8_H
#define UTF8_H

#include <stddef.h>

/* What stands for a byte that belongs to no character: U+FFFD. */
#define UTF8_UNKNOWN "\xEF\xBF\xBD"

/* The number of bytes, 1 to 4, of the character with which text begins; 0: text begins with
   a byte of none.  U+FFFE and U+FFFF, which XML does not permit, are none.  At the end of
   text: 1. */
size_t utf8_length(const char *text);

/* A copy of text with U+FFFD for each byte that belongs to no character; to be freed.
   NULL: there is no memory. */
char *utf8_repaired(const char *text);

/* The number of bytes of text, at most so many, that do not end within a character; for
   "%.*s". */
int utf8_within(const char *text, size_t most);

#endif
