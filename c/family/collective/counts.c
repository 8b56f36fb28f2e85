/* SPDX-License-Identifier: BSD-3-Clause */
#include "counts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/shuffle.h"

enum { RANDOM_MOST = 1 << 20 }; /* weights of random are below */

static const double LARGEST_SEED = 1e9;

const struct choice counts_words[] = {
    { "equal", COUNTS_EQUAL, "all blocks have the size of the row" },
    { "one", COUNTS_ONE, "the last block has all" },
    { "zero:PERCENT", COUNTS_ZERO, "PERCENT of the blocks are empty" },
    { "random:SEED", COUNTS_RANDOM, "random, from 0 to twice the mean" },
    { "file:FILE", COUNTS_FILE,
      "lines of numbers in FILE, one line for each sending rank" },
    { 0 },
};

static const char *parse_number(const char *text, struct counts *counts)
{
    const bool zero = counts->kind == COUNTS_ZERO;
    const char *end;

    counts->number = number_real(text, &end);
    if (zero && *end == '%')
        end++;
    const double x = *end == '\0' && end != text ? counts->number : -1;

    if (zero)
        return x >= 0 && x < 100 ? NULL
                                 : "has no percentage from 0 to below 100";
    return x >= 1 && x <= LARGEST_SEED && floor(x) >= x
               ? NULL
               : "has no seed that is a whole number from 1 to 1000000000";
}

const char *counts_parse(void *field, const char *text)
{
    struct counts *counts = field;
    const char *rest;
    const struct choice *word = choice_before_colon(counts_words, text, &rest);

    if (word == NULL || (strchr(word->word, ':') == NULL) != (rest == NULL))
        return choice_none;
    *counts =
        (struct counts){ .kind = (enum counts_kind)word->value, .path = rest };
    if (counts->kind == COUNTS_FILE)
        return *rest != '\0' ? NULL : "names no file";
    return rest != NULL ? parse_number(rest, counts) : NULL;
}

/* A state of random numbers for that row, not 0, that differs from row to row in many
   bits. */
static uint64_t state_of(uint64_t seed, int row)
{
    return shuffle_hash((seed << 32) + (uint64_t)row + 0x9e3779b97f4a7c15u) | 1;
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

    if (counts->kind == COUNTS_ZERO) {
        leave_out(counts->number, n, state_of(0, row), weight);
        return;
    }
    for (int i = 0; i < n; i++)
        weight[i] = counts->kind == COUNTS_RANDOM
                        ? shuffle_next(&state, RANDOM_MOST)
                        : counts->kind != COUNTS_ONE || i == n - 1;
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

static bool read_number(struct counts_file *f, const char **at, long *n)
{
    const char *end;
    const double x = number_real(*at, &end);

    if (end == *at) {
        snprintf(f->why, sizeof f->why, "line %d is not numbers: '%.40s'",
                 f->number, *at);
        return false;
    }
    if (x < 0) {
        snprintf(f->why, sizeof f->why, "line %d has a negative number: %g",
                 f->number, x);
        return false;
    }
    if (*n < f->n)
        f->value[*n] = x;
    ++*n;
    *at = end + strspn(end, " \t");
    if (**at == ',' || **at == ';')
        ++*at;
    *at += strspn(*at, " \t");
    return true;
}

/* The next line that has numbers: add how many to *n.  false: there is none, or it is
   wrong. */
static bool read_line(struct counts_file *f, long *n)
{
    const char *at;

    do {
        if (getline(&f->line, &f->room, f->from) < 0)
            return false;
        f->number++;
        f->line[strcspn(f->line, "#\r\n")] = '\0';
        at = f->line + strspn(f->line, " \t");
    } while (*at == '\0');
    while (*at != '\0')
        if (!read_number(f, &at, n))
            return false;
    return true;
}

/* The next row into value: a line of n numbers, or, if it is the only row, all lines.
   false: there is none, or it is wrong. */
static bool read_row(struct counts_file *f)
{
    long n = 0;
    bool more;

    do
        more = read_line(f, &n);
    while (more && f->rows == 1);
    if (f->why[0] != '\0' || (!more && f->rows > 1))
        return false;
    if (n == f->n)
        return true;
    if (f->rows == 1)
        snprintf(f->why, sizeof f->why, "it has %ld numbers; ranks: %d", n,
                 f->n);
    else
        snprintf(f->why, sizeof f->why, "line %d has %ld numbers; ranks: %d",
                 f->number, n, f->n);
    return false;
}

bool counts_begin(struct counts_file *f, FILE *from, int rows, int n)
{
    int seen = 0;

    *f = (struct counts_file){
        .from = from, .rows = rows, .n = n, .whole = true
    };
    f->value = calloc((size_t)n, sizeof *f->value);
    if (f->value == NULL)
        snprintf(f->why, sizeof f->why, "there is no memory for its numbers");
    while (f->why[0] == '\0' && (seen == 0 || rows > 1) && read_row(f)) {
        seen++;
        for (int i = 0; i < n; i++) {
            f->sum += f->value[i];
            f->whole = f->whole && floor(f->value[i]) >= f->value[i];
        }
    }
    if (f->why[0] == '\0' && seen != rows)
        snprintf(f->why, sizeof f->why,
                 "it has %d lines with numbers; ranks: %d", seen, rows);
    else if (f->why[0] == '\0' && !(f->sum > 0 && isfinite(f->sum)))
        snprintf(f->why, sizeof f->why, "its numbers are all 0, or too large");
    f->whole = f->whole && f->sum < (double)PORTION_WEIGHTS;
    if (fseek(from, 0, SEEK_SET) != 0 && f->why[0] == '\0')
        snprintf(f->why, sizeof f->why,
                 "it is read twice, which a pipe cannot be");
    f->number = 0;
    return f->why[0] == '\0';
}

void counts_next(struct counts_file *f, uint64_t *weight)
{
    const double parts = (double)(PORTION_WEIGHTS / 2);

    read_row(f);
    for (int i = 0; i < f->n; i++)
        weight[i] = f->whole ? (uint64_t)f->value[i]
                             : (uint64_t)(f->value[i] / f->sum * parts + 0.5);
}

void counts_end(struct counts_file *f)
{
    fclose(f->from);
    free(f->value);
    free(f->line);
}
