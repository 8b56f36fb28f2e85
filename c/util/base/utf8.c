/* SPDX-License-Identifier: BSD-3-Clause */
#include "utf8.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool continues(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

size_t utf8_length(const char *text)
{
    static const unsigned least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    const unsigned char first = (unsigned char)text[0];
    const size_t n = first < 0x80   ? 1
                     : first < 0xC0 ? 0
                     : first < 0xE0 ? 2
                     : first < 0xF0 ? 3
                     : first < 0xF8 ? 4
                                    : 0;
    unsigned code = n < 2 ? first : first & (0x7Fu >> n);

    for (size_t i = 1; i < n; i++) {
        if (!continues(text[i]))
            return 0;
        code = code << 6 | ((unsigned char)text[i] & 0x3F);
    }
    return code < least[n] || (code >= 0xD800 && code < 0xE000) ||
                   code == 0xFFFE || code == 0xFFFF || code > 0x10FFFF
               ? 0
               : n;
}

char *utf8_repaired(const char *text)
{
    char *const copy = malloc(strlen(text) * strlen(UTF8_UNKNOWN) + 1);
    char *to = copy;

    while (copy != NULL && *text != '\0') {
        const size_t n = utf8_length(text);

        to = n > 0 ? mempcpy(to, text, n) : stpcpy(to, UTF8_UNKNOWN);
        text += n > 0 ? n : 1;
    }
    if (copy != NULL)
        *to = '\0';
    return copy;
}

int utf8_within(const char *text, size_t most)
{
    const size_t all = strnlen(text, most + 1);
    size_t n = most;

    if (all <= most)
        return (int)all;
    /* Back to the first byte of the character that is cut, if it is one. */
    while (n > 0 && most - n < 3 && continues(text[n]))
        n--;
    return (int)(continues(text[n]) ? most : n);
}
