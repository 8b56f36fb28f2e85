/* SPDX-License-Identifier: BSD-3-Clause */
#include "utf8.h"

#include <string.h>

int utf8_within(const char *text, size_t most)
{
    size_t n = strnlen(text, most + 1);

    if (n <= most)
        return (int)n;
    /* What would come next must not go on with a character. */
    for (n = most; n > 0 && ((unsigned char)text[n] & 0xC0) == 0x80;)
        n--;
    return (int)n;
}
