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

/* What stands for a byte that belongs to no character: U+FFFD. */
#define UTF8_UNKNOWN "\xEF\xBF\xBD"

/* A copy of text with U+FFFD for each byte that belongs to no character; to be freed.
   NULL: there is no memory. */
char *utf8_repaired(const char *text);

#endif
