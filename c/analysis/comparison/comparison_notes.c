/* SPDX-License-Identifier: BSD-3-Clause */
#include "comparison_notes.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "comparison_classes.h"
#include "results/differences.h"

/* The sentence becomes the comparison's own. */
static void add(struct comparison *c, int kind, char *sentence)
{
    c->note = given_memory(realloc(c->note, (c->notes + 1) * sizeof *c->note));
    c->note[c->notes].kind = kind;
    c->note[c->notes++].text = given_memory(utf8_repaired(sentence));
    free(sentence);
}

__attribute__((format(printf, 3, 4))) static void
note(struct comparison *c, int kind, const char *form, ...)
{
    va_list list;
    char *text;

    va_start(list, form);
    if (vasprintf(&text, form, list) < 0)
        memory_is_short();
    va_end(list);
    add(c, kind, text);
}

/* --- Rows that could not be compared ----------------------------------------------- */

static const struct table_cell *cell_of(const struct comparison *c, size_t i,
                                        int k)
{
    return &c->table->row[i].cell[c->column[k]];
}

/* Does a variant lack this row of the table, and is it the business of one of them? */
static bool is_gap(const struct comparison *c, size_t i)
{
    const struct table_cell *a = cell_of(c, i, 0), *b = cell_of(c, i, 1);

    return (a->runs == 0 || b->runs == 0) &&
           (a->fault != ROW_MISSING || b->fault != ROW_MISSING);
}

static bool is_same(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/* Rows of one table that lack the same. */
static bool alike(const struct comparison *c, size_t i, size_t k)
{
    return row_id_same_table(&c->table->row[i].id, &c->table->row[k].id) &&
           is_same(cell_of(c, i, 0)->fault, cell_of(c, k, 0)->fault) &&
           is_same(cell_of(c, i, 1)->fault, cell_of(c, k, 1)->fault);
}

static size_t first_alike(const struct comparison *c, size_t i)
{
    size_t k = 0;

    while (!is_gap(c, k) || !alike(c, k, i))
        k++;
    return k;
}

/* Of this gap and those after it that are alike: "not compared: bw, 2 ranks, 2 rows, first 8
   MPI_CHAR: suspect in all runs of old, missing in all runs of new". */
static char *gap_words(const struct comparison *c, size_t i)
{
    const struct row_id *id = &c->table->row[i].id;
    const char *separator = ": ";
    char *text = NULL;
    size_t size, n = 0;
    FILE *to = given_memory(open_memstream(&text, &size));

    for (size_t k = i; k < c->table->all; k++)
        n += is_gap(c, k) && alike(c, k, i);
    fprintf(to, "not compared: %s, %s, ", id->benchmark, id->place);
    if (n > 1)
        fprintf(to, "%zu rows, first ", n);
    fputs(id->key, to);
    for (int k = 0; k < 2; k++)
        if (cell_of(c, i, k)->fault != NULL) {
            fprintf(to, "%s%s in all runs of %s", separator,
                    cell_of(c, i, k)->fault, c->variant[k]->name);
            separator = ", ";
        }
    fclose(to);
    return given_memory(text);
}

static void note_gaps(struct comparison *c)
{
    for (size_t i = 0; i < c->table->all; i++) {
        if (!is_gap(c, i))
            continue;
        c->lone += cell_of(c, i, 0)->runs > 0 || cell_of(c, i, 1)->runs > 0;
        if (first_alike(c, i) == i)
            add(c, NOTE_BOTH, gap_words(c, i));
    }
}

/* Is there any row of the benchmark, compared or not? */
static bool is_seen(const struct comparison *c, const char *benchmark)
{
    for (size_t i = 0; i < c->table->all; i++)
        if (strcmp(c->table->row[i].id.benchmark, benchmark) == 0 &&
            (is_gap(c, i) || cell_of(c, i, 0)->runs > 0))
            return true;
    return false;
}

static void note_benchmark(struct comparison *c, const char *benchmark)
{
    char *text;

    if (asprintf(&text, "not compared: %s: no run that counts has a row of it",
                 benchmark) < 0)
        memory_is_short();
    for (size_t i = 0; i < c->notes; i++)
        if (strcmp(c->note[i].text, text) == 0) {
            free(text);
            return;
        }
    if (is_seen(c, benchmark))
        free(text);
    else
        add(c, NOTE_BOTH, text);
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

/* --- Classes that were judged by little -------------------------------------------- */

/* Rows that do not count in their class, since some of its runs lack them. */
static void note_beside_classes(struct comparison *c)
{
    for (size_t k = 0; k < c->classes; k++) {
        const struct comparison_class *of = &c->class[k];
        const size_t rows = of->end - of->first;
        const struct row_id *id = c->row[of->first].id;
        const bool one = of->incomplete == 1;
        char label[CLASS_LABEL];

        if (of->judged == rows)
            continue;
        note(c, NOTE_BOTH,
             "not judged: %s, %s, %s: %zu of %zu rows, which %zu run%s lack%s, "
             "first %s",
             id->benchmark, id->place, comparison_class_label(c, of, label),
             rows - of->judged, rows, of->incomplete, one ? "" : "s",
             one ? "s" : "", of->lacking);
    }
}

/* Classes with so few runs that no difference could be found. */
static void note_too_few(struct comparison *c)
{
    const struct verdict_sum sum = comparison_sum_of(c);
    const size_t n = c->classes - sum.callable;
    const struct comparison_class *of = c->class;
    const struct row_id *id;
    char label[CLASS_LABEL], several[60] = "";

    if (n == 0)
        return;
    while (verdict_can_tell(&of->verdict, c->classes, c->level))
        of++;
    id = c->row[of->first].id;
    if (n > 1)
        snprintf(several, sizeof several, "%zu of %zu classes, first ", n,
                 c->classes);
    note(c, NOTE_FAULT,
         "not judged: %s%s, %s, %s: %zu and %zu runs show no difference; each "
         "needs at least %d",
         several, id->benchmark, id->place,
         comparison_class_label(c, of, label), of->runs[0], of->runs[1],
         sum.needed);
}

/* --- What is known of the runs ----------------------------------------------------- */

/* The first row with wrong data, and in how many rows of runs they are. */
static void note_wrong_data(struct comparison *c, const struct variant *s)
{
    const char *path = NULL;
    char key[ROW_KEY];
    size_t n = 0;

    for (size_t i = 0; i < s->n; i++) {
        const json_t *row;
        size_t k;

        json_array_foreach(s->file[i].rows, k, row)
        {
            const char *word = text_in(row, "verified");

            if (word == NULL || strcmp(word, "fail") != 0 || n++ > 0)
                continue;
            path = s->file[i].path;
            result_row_key(row, key, sizeof key);
        }
    }
    if (n > 0)
        note(c, NOTE_FAULT, "%s: wrong data: %s; wrong in %zu row%s of %s",
             path, key, n, n == 1 ? "" : "s", s->name);
}

/* A note for each line that is printed of the two. */
static void note_differences(struct comparison *c)
{
    char *text = NULL, *rest, *line;
    size_t size;
    FILE *to = given_memory(open_memstream(&text, &size));

    allowed_diff(to, c->variant[0], c->variant[1], &c->how->may);
    version_diff(to, c->variant[0], c->variant[1]);
    fclose(to);
    rest = given_memory(text);
    while ((line = strsep(&rest, "\n")) != NULL)
        if (line[0] != '\0')
            note(c, NOTE_REMARK, "%s", line);
    free(text);
}

/* What was given to be said of a variant. */
static void note_given(struct comparison *c, const char *variant)
{
    const size_t n = strlen(variant);

    for (size_t i = 0; i < c->how->remarks.n; i++) {
        const char *text = c->how->remarks.text[i];

        if (strncmp(text, variant, n) == 0 && text[n] == ':')
            note(c, NOTE_REMARK, "%s", text);
    }
}

static void note_doubtful(struct comparison *c, int k)
{
    const size_t n = variant_crowded(c->variant[k]);
    struct doubtful all = { .rows = 0 };
    char words[WHY];

    if (n > 0)
        note(c, NOTE_REMARK,
             "in %zu of %zu runs of %s the ranks shared CPUs (W08): their "
             "times show the scheduler, not MPI",
             n, c->variant[k]->n, c->variant[k]->name);
    for (size_t i = 0; i < c->rows; i++)
        doubtful_add(&all, c->row[i].id, c->row[i].cell[k]->doubtful);
    if (all.n > 0)
        note(c, NOTE_REMARK, "%s",
             doubtful_words(&all, c->variant[k]->name, words));
}

void comparison_notes_make(struct comparison *c)
{
    for (int k = 0; k < 2; k++)
        note_given(c, c->variant[k]->name);
    note_gaps(c);
    note_benchmarks(c);
    if (c->rows > 0)
        note_too_few(c);
    note_beside_classes(c);
    note_differences(c);
    for (int k = 0; k < 2; k++)
        note_doubtful(c, k);
    for (int k = 0; k < 2; k++)
        note_wrong_data(c, c->variant[k]);
}

bool comparison_notes_refuse(const struct comparison *c, char why[WHY])
{
    size_t k = 0;

    while (k < c->notes && (c->note[k].kind & NOTE_FAULT) == 0)
        k++;
    return refuse(why, "%s and %s have no row in common%s%s",
                  c->variant[0]->name, c->variant[1]->name,
                  k < c->notes ? "; " : "",
                  k < c->notes ? c->note[k].text : "");
}
