/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * utf8.h - text that is cut where characters end.
 */
#ifndef UTF8_H
#define UTF8_H

#include <stddef.h>

/* How many bytes of text make whole characters, at most so many: for "%.*s". */
int utf8_within(const char *text, size_t most);

#endif
