/* SPDX-License-Identifier: BSD-3-Clause */
#include "sizes.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
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
        "is not a size (examples: 8, 64K, 2^20, 1:4M, :64K, 8:8; a list of "
        "sizes: --sizes=1,2,4)";
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

/* No list, and none in a file. */
static void forget_list(struct sizes *sizes)
{
    free(sizes->list);
    sizes->list = NULL;
    sizes->file = NULL;
}

/* What is left out, NULL or empty, gives way to the other. */
static const char *parse_range(const char *min, const char *max, struct sizes *sizes)
{
    const bool low = min != NULL && *min != '\0';
    const bool high = min == NULL || *max != '\0';
    const char *why = NULL;

    if (!low && !high)
        return "names neither a smallest nor a largest size";
    if (low)
        why = sizes_parse_one(min, &sizes->min);
    if (why == NULL && high)
        why = sizes_parse_one(max, &sizes->max);
    if (why != NULL || sizes->min <= sizes->max)
        return why;
    if (low && high)
        return "has a smallest size above the largest";
    if (low)
        sizes->max = sizes->min;
    else
        sizes->min = sizes->max;
    return NULL;
}

const char *sizes_parse(void *field, const char *text)
{
    struct sizes *const sizes = field;
    char copy[80], *part[3] = { copy, NULL, NULL };
    int n = 1;
    const char *end;

    if (strlen(text) >= sizeof copy)
        return "is larger than this machine can address";
    strcpy(copy, text);
    for (char *colon; n < 3 && (colon = strchr(part[n - 1], ':')) != NULL;) {
        *colon = '\0';
        part[n++] = colon + 1;
    }
    forget_list(sizes);
    sizes->named = (n > 1 && *copy != '\0') || n == 3;
    sizes->factor = n == 3 ? number_real(part[2], &end) : 0;
    if (n == 3 && (*end != '\0' || !(sizes->factor > 1 && sizes->factor <= MiB)))
        return "has a factor that is not a number above 1 (example: 1:4M:4)";
    return n == 1 ? parse_range(NULL, copy, sizes) : parse_range(copy, part[1], sizes);
}

static int ascending(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;

    return (x > y) - (x < y);
}

static int by_size(const void *a, const void *b)
{
    const struct count_step *x = a, *y = b;

    return (x->up_to > y->up_to) - (x->up_to < y->up_to);
}

enum { WORD = 32 };

/* The word before the next colon or comma, which is returned; text goes on behind it. */
static char cut(const char **text, char word[WORD])
{
    const size_t n = strcspn(*text, ":,");
    const char mark = (*text)[n];

    snprintf(word, WORD, "%.*s", n < WORD ? (int)n : 0, *text);
    *text += n + (mark != '\0');
    return mark;
}

const char *sizes_parse_count(const char *text, struct sizes_count *count)
{
    static const char why[] = "is not a number of iterations, nor up to 16 by size (examples: 100, "
                              "8192:1000:100, 8192:1000,1M:100,0:10)";
    /* N or SIZE:N:N, whose last number has no size; else SIZE:N,SIZE:N,... in any order. */
    const bool border = strchr(text, ',') == NULL;
    struct count_step *const step = count->step;
    char mark, word[WORD];
    int n = 0;

    do {
        const char *end;

        mark = cut(&text, word);
        if (!border || mark == ':') {
            if (mark != ':' || sizes_parse_one(word, &step[n].up_to) != NULL)
                return why;
            mark = cut(&text, word);
            if (border && mark != ':')
                return why;
        }
        step[n++].n = number_whole(word, &end);
        if (end == word || *end != '\0')
            return why;
    } while (n < (border ? 2 : COUNT_STEPS) && mark == (border ? ':' : ','));
    if (mark != '\0')
        return why;
    step[n - 1].up_to = SIZE_MAX;
    qsort(step, (size_t)n, sizeof *step, by_size);
    for (int i = 1; i < n; i++)
        if (step[i].up_to == step[i - 1].up_to)
            return "names a size twice";
    count->steps = n;
    return NULL;
}

/* Words of a list into an array of their own; n counts them. */
static const char *parse_words(char *text, struct sizes *sizes)
{
    static const char between[] = ", \t\r\n";
    char *rest = NULL;
    const char *why = NULL;

    sizes->list = malloc((strlen(text) / 2 + 1) * sizeof *sizes->list);
    sizes->n = 0;
    if (sizes->list == NULL)
        return "needs more memory than there is";
    for (char *word = strtok_r(text, between, &rest); word != NULL && why == NULL;
         word = strtok_r(NULL, between, &rest))
        why = sizes_parse_one(word, &sizes->list[sizes->n++]);
    return why != NULL || sizes->n > 0 ? why : "names no size";
}

const char *sizes_take_list(const char *text, struct sizes *sizes)
{
    char *words = strdup(text);
    const char *why;

    forget_list(sizes);
    sizes->named = true;
    if (words == NULL)
        return "needs more memory than there is";
    why = parse_words(words, sizes);
    free(words);
    if (why != NULL)
        return why;
    qsort(sizes->list, sizes->n, sizeof *sizes->list, ascending);
    for (size_t i = 1; i < sizes->n; i++)
        if (sizes->list[i] == sizes->list[i - 1])
            return "names a size twice";
    sizes->min = sizes->list[0];
    sizes->max = sizes->list[sizes->n - 1];
    return NULL;
}

const char *sizes_parse_list(void *field, const char *text)
{
    struct sizes *const sizes = field;

    if (text[0] != '@')
        return sizes_take_list(text, sizes);
    forget_list(sizes);
    sizes->file = text + 1;
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
