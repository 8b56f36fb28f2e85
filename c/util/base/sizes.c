/* SPDX-License-Identifier: BSD-3-Clause */
#include "sizes.h"

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LARGE_ABOVE = 8192 }; /* OMB: a message is large above this */

const struct sizes_counts counts_latency = { 10000, 100, 1000, 10 };
const struct sizes_counts counts_bandwidth = { 100, 10, 20, 2 };
const struct sizes_counts counts_message_rate = { 100, 10, 100, 10 };
const struct sizes_counts counts_collective = { 1000, 100, 100, 10 };
const struct sizes_counts counts_ibarrier = { 100, 10, 100, 10 };

long sizes_laps(const struct sizes_counts *counts, size_t bytes)
{
    return bytes > LARGE_ABOVE ? counts->laps_large : counts->laps;
}

long sizes_warmup(const struct sizes_counts *counts, size_t bytes)
{
    return bytes > LARGE_ABOVE ? counts->warmup_large : counts->warmup;
}

const char *sizes_parse_one(const char *text, size_t *bytes)
{
    static const char suffixes[] = "KMGT";
    unsigned long long value;
    char *end;

    if (!isdigit((unsigned char)*text))
        return "is not a size (examples: 8, 64K, 4M, 1:4M, :64K, 8:8)";
    errno = 0;
    value = strtoull(text, &end, 10);
    if (*end != '\0') {
        const char *suffix = strchr(suffixes, toupper((unsigned char)*end));

        if (suffix == NULL || end[1] != '\0')
            return "is not a size (examples: 8, 64K, 4M, 1:4M, :64K, 8:8)";
        for (int i = 0; i <= suffix - suffixes; i++) {
            if (value > SIZE_MAX / 1024)
                errno = ERANGE;
            value *= 1024;
        }
    }
    if (errno == ERANGE || value > PTRDIFF_MAX)
        return "is larger than this machine can address";
    *bytes = (size_t)value;
    return NULL;
}

const char *sizes_parse(const char *text, struct sizes *sizes)
{
    const char *colon = strchr(text, ':'), *why = NULL;
    char low[32] = "";

    if (colon == NULL) {
        why = sizes_parse_one(text, &sizes->max);
        if (why == NULL && sizes->min > sizes->max)
            sizes->min = sizes->max;
        return why;
    }
    if (colon == text && colon[1] == '\0')
        return "names neither a smallest nor a largest size";
    if ((size_t)(colon - text) >= sizeof low)
        return "is larger than this machine can address";
    memcpy(low, text, (size_t)(colon - text));
    if (low[0] != '\0')
        why = sizes_parse_one(low, &sizes->min);
    if (why == NULL && colon[1] != '\0')
        why = sizes_parse_one(colon + 1, &sizes->max);
    else if (why == NULL && sizes->max < sizes->min)
        sizes->max = sizes->min; /* "8M:" above the default maximum */
    if (why == NULL && colon[1] != '\0' && low[0] == '\0' &&
        sizes->min > sizes->max)
        sizes->min = sizes->max;
    if (why == NULL && sizes->min > sizes->max)
        why = "has a smallest size above the largest";
    return why;
}

bool sizes_next(const struct sizes *sizes, size_t *bytes)
{
    const size_t next = *bytes == 0 ? 1 : *bytes * 2;

    if (*bytes > SIZE_MAX / 2 || next > sizes->max)
        return false;
    *bytes = next;
    return true;
}
