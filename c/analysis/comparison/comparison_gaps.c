/* SPDX-License-Identifier: BSD-3-Clause */
#include "comparison_gaps.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const char MISSING[] = "missing";

static struct comparison_lone *add_lone(struct comparison *c,
                                        const struct row_id *id)
{
    c->lone = given_memory(realloc(c->lone, (c->lones + 1) * sizeof *c->lone));
    c->lone[c->lones] =
        (struct comparison_lone){ .id = *id, .lacks = { MISSING, MISSING } };
    return &c->lone[c->lones++];
}

void comparison_gaps_lone(struct comparison *c, const struct run_row *first)
{
    add_lone(c, &first->id)->lacks[first->variant] = NULL;
}

static_assert(offsetof(struct comparison_lone, id) == 0,
              "a lone row begins with its id");

/* Rows that were measured and do not count: they are not missing. */
static void note_left_out(struct comparison *c)
{
    const struct variant pair[] = { *c->variant[0], *c->variant[1] };
    const size_t known = c->lones; /* in the order of their rows */
    size_t count, end;
    struct run_row *out = run_rows_left_out(pair, 2, &c->how->may, &count);

    for (size_t i = 0; i < count; i = end) {
        struct comparison_lone *lone;

        end = run_rows_end(out, i, count);
        if (comparison_row_of(c, &out[i].id) != NULL)
            continue;
        lone = known > 0 ? bsearch(&out[i].id, c->lone, known, sizeof *c->lone,
                                   row_id_order)
                         : NULL;
        if (lone == NULL)
            lone = add_lone(c, &out[i].id);
        for (size_t k = i; k < end; k++)
            if (lone->lacks[out[k].variant] == MISSING)
                lone->lacks[out[k].variant] = out[k].fault;
    }
    free(out);
}

/* Is there any row of the benchmark, compared or not? */
static bool is_seen(const struct comparison *c, const char *benchmark)
{
    for (size_t i = 0; i < c->rows; i++)
        if (strcmp(c->row[i].id.benchmark, benchmark) == 0)
            return true;
    for (size_t i = 0; i < c->lones; i++)
        if (strcmp(c->lone[i].id.benchmark, benchmark) == 0)
            return true;
    return false;
}

/* A benchmark without any row is a gap without a key. */
static void note_benchmark(struct comparison *c, const char *benchmark)
{
    struct row_id id = { .bytes = -1 };

    if (is_seen(c, benchmark))
        return;
    text_add(id.benchmark, sizeof id.benchmark, "%s", benchmark);
    add_lone(c, &id);
}

/* Those that were asked for, and those whose runs wrote nothing. */
static void note_benchmarks(struct comparison *c)
{
    for (size_t i = 0; i < c->how->asked.n; i++)
        note_benchmark(c, c->how->asked.text[i]);
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < c->variant[k]->n; i++)
            if (json_array_size(c->variant[k]->file[i].rows) == 0)
                note_benchmark(c, c->variant[k]->file[i].benchmark);
}

void comparison_gaps_make(struct comparison *c)
{
    note_left_out(c);
    note_benchmarks(c);
}

static bool alike(const struct comparison_lone *a,
                  const struct comparison_lone *b)
{
    return row_id_same_table(&a->id, &b->id) && a->lacks[0] == b->lacks[0] &&
           a->lacks[1] == b->lacks[1];
}

const char *comparison_gap_words(const struct comparison *c,
                                 const struct comparison_lone *lone,
                                 char text[240])
{
    text[0] = '\0';
    if (lone->id.key[0] == '\0')
        text_add(text, 240, "no run has a row of it");
    for (int k = 0; k < 2 && lone->id.key[0] != '\0'; k++)
        if (lone->lacks[k] != NULL)
            text_add(text, 240, "%s%s in all runs of %s",
                     text[0] != '\0' ? ", " : "", lone->lacks[k],
                     c->variant[k]->name);
    return text;
}

/* Gap i and those after it that are alike. */
static void print_gap(FILE *to, const struct comparison *c, size_t i,
                      const char *begin)
{
    const struct comparison_lone *first = &c->lone[i];
    char words[240];
    size_t n = 0;

    for (size_t k = i; k < c->lones; k++)
        n += alike(&c->lone[k], first);
    fprintf(to, "%snot compared: %s", begin, first->id.benchmark);
    if (n > 1)
        fprintf(to, ", %s, %zu rows, first %s", first->id.place, n,
                first->id.key);
    else if (first->id.key[0] != '\0')
        fprintf(to, ", %s, %s", first->id.place, first->id.key);
    fprintf(to, ": %s\n", comparison_gap_words(c, first, words));
}

size_t comparison_gaps_print(FILE *to, const struct comparison *c,
                             const char *begin)
{
    size_t *printed = given_memory(malloc((c->lones + 1) * sizeof *printed));
    size_t n = 0;

    for (size_t i = 0; i < c->lones; i++) {
        size_t k = 0;

        while (k < n && !alike(&c->lone[printed[k]], &c->lone[i]))
            k++;
        if (k < n)
            continue;
        printed[n++] = i;
        print_gap(to, c, i, begin);
    }
    free(printed);
    return n;
}

bool comparison_gaps_refuse(const struct comparison *c, char why[WHY])
{
    char *text = NULL;
    size_t size;
    FILE *to = given_memory(open_memstream(&text, &size));

    if (c->lones > 0)
        print_gap(to, c, 0, "; ");
    fclose(to);
    text = given_memory(text);
    text[strcspn(text, "\n")] = '\0';
    refuse(why, "%s and %s have no row in common%s", c->variant[0]->name,
           c->variant[1]->name, text);
    free(text);
    return false;
}
