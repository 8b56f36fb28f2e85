/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * signal_text.h - text put together in a signal handler, where printf is not allowed.
 *                 What finds no room is cut.
 */
#ifndef SIGNAL_TEXT_H
#define SIGNAL_TEXT_H

#include <stddef.h>
#include <string.h>

static inline void signal_append(char *text, size_t room, const char *more)
{
    size_t n = strlen(text);

    /* Not strncat: GCC 12 with -O2 then takes the end of digits below for unused. */
    while (n + 1 < room && *more != '\0')
        text[n++] = *more++;
    text[n] = '\0';
}

static inline void signal_append_number(char *text, size_t room, long number)
{
    char digits[24] = "";
    int at = sizeof digits - 1;
    unsigned long left = number < 0 ? 0 : (unsigned long)number;

    do {
        digits[--at] = (char)('0' + left % 10);
        left /= 10;
    } while (left > 0);
    signal_append(text, room, digits + at);
}

static inline void signal_append_field(char *text, size_t room, const char *key,
                                       long number)
{
    signal_append(text, room, key);
    signal_append_number(text, room, number);
    signal_append(text, room, "; ");
}

#endif
