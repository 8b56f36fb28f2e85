/* SPDX-License-Identifier: BSD-3-Clause */
#include "counts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/shuffle.h"

enum { ONE = 1 << 20 }; /* weight of the first block of spread */

static const double LARGEST_SPREAD = 1e6, LARGEST_SEED = 1e9;

const struct choice counts_words[] = {
    { "equal", COUNTS_EQUAL, "all blocks have the size of the row" },
    { "linear", COUNTS_LINEAR, "1, 2, 3, ... parts of the sum" },
    { "one", COUNTS_ONE, "the last block has all" },
    { "zero:PERCENT", COUNTS_ZERO, "PERCENT of the blocks are empty" },
    { "random:SEED", COUNTS_RANDOM, "random, from 0 to twice the mean" },
    { "spread:S", COUNTS_SPREAD,
      "the last block is S times the first, in equal ratios" },
    { "file:FILE", COUNTS_FILE,
      "lines of numbers in FILE, one line for each sending rank" },
    { 0 },
};

static const char *parse_number(const char *text, struct counts *counts)
{
    const bool zero = counts->kind == COUNTS_ZERO,
               random = counts->kind == COUNTS_RANDOM;
    char *end;

    counts->number = strtod(text, &end);
    if (zero && *end == '%')
        end++;
    const double x = *end == '\0' && end != text ? counts->number : -1;

    if (zero)
        return x >= 0 && x < 100 ? NULL
                                 : "has no percentage from 0 to below 100";
    if (random)
        return x >= 1 && x <= LARGEST_SEED && floor(x) >= x
                   ? NULL
                   : "has no seed that is a whole number from 1 to 1000000000";
    return x >= 1 && x <= LARGEST_SPREAD
               ? NULL
               : "has no ratio from 1 to 1000000 of the last block to the first";
}

const char *counts_parse(const char *text, struct counts *counts)
{
    const size_t n = strcspn(text, ":");
    const char *const rest = text[n] == ':' ? text + n + 1 : NULL;
    const struct choice *word = counts_words;

    for (; word->word != NULL; word++)
        if (strncmp(word->word, text, n) == 0 &&
            strcspn(word->word, ":") == n &&
            (word->word[n] == ':') == (rest != NULL))
            break;
    if (word->word == NULL)
        return choice_none;
    *counts = (struct counts){ .kind = (enum counts_kind)word->value,
                               .text = text,
                               .path = rest };
    if (counts->kind == COUNTS_FILE)
        return *rest != '\0' ? NULL : "names no file";
    return rest != NULL ? parse_number(rest, counts) : NULL;
}

/* A state of random numbers for that row, not 0, that differs from row to row in many
   bits (SplitMix64: Steele, Lea, Flood 2014). */
static uint64_t state_of(uint64_t seed, int row)
{
    uint64_t x = (seed << 32) + (uint64_t)row + 0x9e3779b97f4a7c15u;

    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (x ^ (x >> 31)) | 1;
}

/* Of n blocks so many per cent are empty, but never all: each of those left is drawn
   with the chance that makes the number come out (Knuth, TAOCP 2, 3.4.2, S). */
static void leave_out(double percent, int n, uint64_t state, uint64_t *weight)
{
    int empty = (int)floor(n * percent / 100 + 0.5);

    if (empty >= n)
        empty = n - 1;
    for (int i = 0; i < n; i++) {
        const bool out =
            shuffle_next(&state, (unsigned long)(n - i)) < (unsigned long)empty;

        weight[i] = !out;
        empty -= out;
    }
}

void counts_weights(const struct counts *counts, int row, int n,
                    uint64_t *weight)
{
    uint64_t state = state_of((uint64_t)counts->number, row);
    const double step = n > 1 ? pow(counts->number, 1.0 / (n - 1)) : 1;

    if (counts->kind == COUNTS_ZERO) {
        leave_out(counts->number, n, state_of(0, row), weight);
        return;
    }
    for (int i = 0; i < n; i++)
        switch (counts->kind) {
        case COUNTS_LINEAR:
            weight[i] = (uint64_t)i + 1;
            break;
        case COUNTS_ONE:
            weight[i] = i == n - 1;
            break;
        case COUNTS_RANDOM:
            weight[i] = shuffle_next(&state, ONE);
            break;
        case COUNTS_SPREAD:
            weight[i] = (uint64_t)(ONE * pow(step, i) + 0.5);
            break;
        default:
            weight[i] = 1;
        }
}

void counts_portions(const uint64_t *weight, int n, uint64_t before,
                     uint64_t of, uint64_t blocks, struct portion *portion)
{
    for (int i = 0; i < n; i++) {
        portion[i] = (struct portion){ .before = before,
                                       .until = before + weight[i],
                                       .of = of,
                                       .blocks = blocks };
        before += weight[i];
    }
}

/* --- Files ---------------------------------------------------------------------- */

/* Where reading is. */
struct reader {
    double *value; /* of the numbers read */
    long n, most;
    int line, lines; /* the current one, and those with numbers */
    char *why;
    size_t room;
};

static bool read_number(struct reader *r, char **at)
{
    char *end;
    const double x = strtod(*at, &end);

    if (end == *at || !isfinite(x)) {
        snprintf(r->why, r->room, "line %d is not numbers: '%.40s'", r->line,
                 *at);
        return false;
    }
    if (x < 0) {
        snprintf(r->why, r->room, "line %d has a negative number: %g", r->line,
                 x);
        return false;
    }
    if (r->n < r->most)
        r->value[r->n] = x;
    r->n++;
    *at = end + strspn(end, " \t");
    if (**at == ',' || **at == ';')
        ++*at;
    *at += strspn(*at, " \t");
    return true;
}

/* A line with so many numbers; where any is true, with as many as it has. */
static bool read_line(struct reader *r, char *at, int numbers, bool any)
{
    const long before = r->n;

    at[strcspn(at, "#\r")] = '\0';
    at += strspn(at, " \t");
    if (*at == '\0')
        return true;
    r->lines++;
    while (*at != '\0')
        if (!read_number(r, &at))
            return false;
    if (any || r->n - before == numbers)
        return true;
    snprintf(r->why, r->room, "line %d has %ld numbers; ranks: %d", r->line,
             r->n - before, numbers);
    return false;
}

/* Whole numbers as they are, others in parts of their sum. */
static bool weigh(const double *value, long n, uint64_t *weight)
{
    double sum = 0;
    bool whole = true;

    for (long i = 0; i < n; i++) {
        sum += value[i];
        whole = whole && floor(value[i]) >= value[i];
    }
    whole = whole && sum < (double)PORTION_WEIGHTS;
    for (long i = 0; i < n && sum > 0; i++)
        weight[i] =
            whole ? (uint64_t)value[i]
                  : (uint64_t)(value[i] / sum * (double)(PORTION_WEIGHTS / 2) +
                               0.5);
    return sum > 0 && isfinite(sum);
}

bool counts_read(char *text, int rows, int n, uint64_t *weight, char *why,
                 size_t room)
{
    struct reader r = { .most = (long)rows * n, .why = why, .room = room };
    bool good = true;

    r.value = malloc((size_t)r.most * sizeof *r.value);
    if (r.value == NULL) {
        snprintf(why, room, "there is no memory for its numbers");
        return false;
    }
    for (char *next, *at = text; good && at != NULL && *at != '\0'; at = next) {
        next = strchr(at, '\n');
        if (next != NULL)
            *next++ = '\0';
        r.line++;
        good = read_line(&r, at, n, rows == 1);
    }
    if (good && r.n != r.most) {
        if (rows == 1)
            snprintf(why, room, "it has %ld numbers; ranks: %d", r.n, n);
        else
            snprintf(why, room, "it has %d lines with numbers; ranks: %d",
                     r.lines, rows);
        good = false;
    } else if (good && !weigh(r.value, r.most, weight)) {
        snprintf(why, room, "its numbers are all 0, or too large");
        good = false;
    }
    free(r.value);
    return good;
}
