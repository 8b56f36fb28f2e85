/* SPDX-License-Identifier: BSD-3-Clause */
#include "utf8.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool continues(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

/* The number of bytes, 1 to 4, of the character with which text begins; 0: text begins with
   a byte of none.  U+FFFE and U+FFFF, which XML does not permit, are none.  At the end of
   text: 1. */
static size_t length(const char *text)
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
        const size_t n = length(text);

        to = n > 0 ? mempcpy(to, text, n) : stpcpy(to, UTF8_UNKNOWN);
        text += n > 0 ? n : 1;
    }
    if (copy != NULL)
        *to = '\0';
    return copy;
}
