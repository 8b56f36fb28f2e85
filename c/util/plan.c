/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan.h"

#include <stdint.h>
#include <stdio.h>

enum { LINE = 64 };

size_t plan_slot(size_t bytes)
{
    if (bytes > SIZE_MAX - LINE)
        return SIZE_MAX;
    return bytes == 0 ? LINE : (bytes + LINE - 1) / LINE * LINE;
}

size_t plan_sum(size_t a, size_t b)
{
    return a > SIZE_MAX - b ? SIZE_MAX : a + b;
}

size_t plan_product(size_t a, size_t b)
{
    return a != 0 && b > SIZE_MAX / a ? SIZE_MAX : a * b;
}

size_t plan_buffer(size_t bytes, size_t blocks, bool window)
{
    if (blocks == 0)
        return 0;
    return plan_sum(plan_product(blocks, window ? plan_slot(bytes) : bytes),
                    PLAN_GUARD);
}

const char *plan_human(double bytes, char text[32])
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
