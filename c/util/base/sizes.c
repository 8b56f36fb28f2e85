/* SPDX-License-Identifier: BSD-3-Clause */
#include "sizes.h"

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "number.h"

/* OMB: a message is large above 8192 bytes. */
#define UP_TO_8K(small, large)                                                                     \
    {                                                                                              \
        { { 8192, small }, { SIZE_MAX, large } }, 2                                                \
    }

const struct sizes_counts counts_latency = { UP_TO_8K(10000, 1000), UP_TO_8K(100, 10) };
const struct sizes_counts counts_bandwidth = { UP_TO_8K(100, 20), UP_TO_8K(10, 2) };
const struct sizes_counts counts_message_rate = { UP_TO_8K(100, 100), UP_TO_8K(10, 10) };
const struct sizes_counts counts_collective = { UP_TO_8K(1000, 100), UP_TO_8K(100, 10) };
const struct sizes_counts counts_ibarrier = { UP_TO_8K(100, 100), UP_TO_8K(10, 10) };

long sizes_count(const struct sizes_count *count, size_t bytes)
{
    int i = 0;

    while (bytes > count->step[i].up_to)
        i++;
    return count->step[i].n;
}

/* Multiplied so many times; errno says that no size is so large. */
static unsigned long long scaled(unsigned long long value, unsigned long long factor,
                                 unsigned long times)
{
    for (; times > 0 && errno == 0; times--) {
        if (times >= 64 || (factor > 0 && value > SIZE_MAX / factor))
            errno = ERANGE;
        value *= factor;
    }
    return value;
}

const char *sizes_parse_one(const char *text, size_t *bytes)
{
    static const char suffixes[] = "KMGT";
    static const char not_a_size[] =
        "is not a size (examples: 8, 64K, 2^20, 1:4M, :64K, 8:8; a list of sizes: --sizes=1,2,4)";
    unsigned long long value;
    const char *end;

    if (!isdigit((unsigned char)*text))
        return not_a_size;
    value = (unsigned long long)number_whole(text, &end);
    if (*end == '^' && isdigit((unsigned char)end[1])) {
        value = scaled(1, value, (unsigned long)number_whole(end + 1, &end));
        if (*end != '\0')
            return not_a_size;
    } else if (*end != '\0') {
        const char *suffix = strchr(suffixes, toupper((unsigned char)*end));

        if (suffix == NULL || end[1] != '\0')
            return not_a_size;
        value = scaled(value, 1024, (unsigned long)(suffix - suffixes) + 1);
    }
    if (errno == ERANGE || value > PTRDIFF_MAX)
        return "is larger than this machine can address";
    *bytes = (size_t)value;
    return NULL;
}

bool sizes_next(const struct sizes *sizes, size_t *bytes)
{
    size_t next = *bytes == 0 ? 1 : *bytes * 2;

    if (*bytes >= sizes->max)
        return false;
    if (sizes->list != NULL) {
        size_t i = 0;

        while (i < sizes->n && sizes->list[i] <= *bytes)
            i++;
        if (i == sizes->n)
            return false;
        next = sizes->list[i];
    } else if (sizes->factor > 0) {
        const double grown = (double)*bytes * sizes->factor;

        if (grown > (double)sizes->max)
            return false;
        next = grown >= (double)*bytes + 1 ? (size_t)grown : *bytes + 1;
    } else if (*bytes > SIZE_MAX / 2 || next > sizes->max)
        return false;
    *bytes = next;
    return true;
}

/* --- Memory ------------------------------------------------------------------------ */

enum { CACHE_LINE = 64 };

size_t slot_size(size_t bytes)
{
    if (bytes > SIZE_MAX - CACHE_LINE)
        return SIZE_MAX;
    return bytes == 0 ? CACHE_LINE : (bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
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
    return size_sum(size_product(blocks, window ? slot_size(bytes) : bytes), BUFFER_GUARD);
}

const char *size_words(double bytes, char text[32])
{
    static const char *const unit[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
    int i = 0;

    while (bytes >= 1024 && i < 6) {
        bytes /= 1024;
        i++;
    }
    snprintf(text, 32, "%.4g%s", bytes, unit[i]);
    return text;
}
