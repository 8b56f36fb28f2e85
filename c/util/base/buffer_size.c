/* SPDX-License-Identifier: BSD-3-Clause */
#include "buffer_size.h"

#include <stdint.h>
#include <stdio.h>

enum { LINE = 64 };

size_t slot_size(size_t bytes)
{
    if (bytes > SIZE_MAX - LINE)
        return SIZE_MAX;
    return bytes == 0 ? LINE : (bytes + LINE - 1) / LINE * LINE;
}

size_t size_sum(size_t a, size_t b)
{
    return a > SIZE_MAX - b ? SIZE_MAX : a + b;
}

size_t size_product(size_t a, size_t b)
{
    return a != 0 && b > SIZE_MAX / a ? SIZE_MAX : a * b;
}

size_t buffer_size(size_t bytes, size_t blocks, bool window)
{
    if (blocks == 0)
        return 0;
    return size_sum(size_product(blocks, window ? slot_size(bytes) : bytes),
                    BUFFER_GUARD);
}

const char *size_words(double bytes, char text[32])
{
    static const char *const unit[] = { "B",   "KiB", "MiB", "GiB",
                                        "TiB", "PiB", "EiB" };
    int i = 0;

    while (bytes >= 1024 && i < 6) {
        bytes /= 1024;
        i++;
    }
    snprintf(text, 32, "%.4g%s", bytes, unit[i]);
    return text;
}
