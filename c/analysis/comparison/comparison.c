/* SPDX-License-Identifier: BSD-3-Clause */
#include "comparison.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "comparison_classes.h"
#include "comparison_gaps.h"
#include "results/differences.h"
#include "results/doubtful.h"
#include "stats/stats.h"

/* One row of the comparison, of n runs, the first of which is seen[at]. */
static void add_row(struct comparison *c, const struct run_row *seen, size_t at,
                    size_t n)
{
    const struct run_row *first = seen + at;
    const size_t of_a = run_rows_end_of_variant(first, 0, n);
    struct comparison_row *row = &c->row[c->rows];
    double *value;

    if (of_a == n) {
        comparison_gaps_lone(c, first);
        return;
    }
    *row = (struct comparison_row){ .id = first->id,
                                    .runs = { of_a, n - of_a },
                                    .first_run = at };
    value = given_memory(malloc(n * sizeof *value));
    for (int k = 0; k < 2; k++) {
        for (size_t i = 0; i < row->runs[k]; i++)
            value[i] = result_row_figure(first[k * of_a + i].row);
        row->figure[k] = stats_of(value, row->runs[k]).median;
        row->doubtful[k] = doubtful_row(first + k * of_a, row->runs[k]);
    }
    for (size_t i = 0; i < n; i++)
        value[i] = result_row_time(first[i].row);
    row->ratio = time_ratio_of(value, of_a, value + of_a, n - of_a);
    c->rows++;
    free(value);
}

bool comparison_make(struct comparison *c, const struct variant *a,
                     const struct variant *b,
                     const struct comparison_options *options, char why[WHY])
{
    const struct variant pair[] = { *a, *b };
    struct run_row *seen;
    size_t count, end;

    *c = (struct comparison){ .variant = { a, b },
                              .margin = options->margin,
                              .level = verdict_level(options->look),
                              .sizes = options->sizes,
                              .how = options };
    if (!comparable_variants(a, b, &options->may, why))
        return false;
    seen = run_rows_of(pair, 2, &options->may, &count);
    c->row = given_memory(malloc((count + 1) * sizeof *c->row));
    for (size_t i = 0; i < count; i = end) {
        end = run_rows_end(seen, i, count);
        add_row(c, seen, i, end - i);
    }
    comparison_classes_make(c, seen);
    comparison_gaps_make(c);
    free(seen);
    if (c->rows > 0)
        return true;
    comparison_gaps_refuse(c, why);
    comparison_release(c);
    return false;
}

void comparison_release(struct comparison *c)
{
    free(c->row);
    free(c->class);
    free(c->lone);
    *c = (struct comparison){ .rows = 0 };
}

static_assert(offsetof(struct comparison_row, id) == 0,
              "a row begins with its id");

const struct comparison_row *comparison_row_of(const struct comparison *c,
                                               const struct row_id *id)
{
    return c->rows > 0
               ? bsearch(id, c->row, c->rows, sizeof *c->row, row_id_order)
               : NULL;
}

const char *comparison_doubt(const struct comparison *c,
                             const struct comparison_row *row, char text[120])
{
    text[0] = '\0';
    for (int k = 0; k < 2; k++) {
        text_add_word(text, 120, ", ", row->doubtful[k], 32);
        if (row->doubtful[k] != NULL)
            text_add_word(text, 120, " in ", c->variant[k]->name, 24);
    }
    return text;
}

const char *comparison_interval(const struct time_ratio *ratio, char text[48])
{
    if (ratio->has_interval)
        snprintf(text, 48, "%.3f to %.3f", ratio->low, ratio->high);
    else
        snprintf(text, 48, "%s", "-");
    return text;
}

int comparison_later(const struct comparison *c)
{
    double first[2] = { HUGE_VAL, HUGE_VAL }, last[2] = { 0, 0 };

    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < c->variant[k]->n; i++) {
            const double at = result_started(&c->variant[k]->file[i]);

            if (isnan(at))
                return -1;
            first[k] = fmin(first[k], at);
            last[k] = fmax(last[k], at);
        }
    if (c->variant[0]->n < 2 || c->variant[1]->n < 2)
        return -1; /* one run of each has some order */
    return first[1] > last[0] ? 1 : first[0] > last[1] ? 0 : -1;
}

size_t comparison_table_end(const struct comparison *c, size_t first)
{
    size_t end = first + 1;

    while (end < c->rows &&
           row_id_same_table(&c->row[first].id, &c->row[end].id))
        end++;
    return end;
}

static void print_doubtful(FILE *to, const struct comparison *c, int k)
{
    struct doubtful all = { .rows = 0 };
    char words[WHY];

    for (size_t i = 0; i < c->rows; i++)
        doubtful_add(&all, &c->row[i].id, c->row[i].doubtful[k]);
    fprintf(to, "%s\n", doubtful_words(&all, c->variant[k]->name, words));
}

/* Rows that do not count in their class, since some of its runs lack them. */
static size_t beside_classes(FILE *to, const struct comparison *c,
                             const char *begin)
{
    size_t n = 0;

    for (size_t k = 0; k < c->classes; k++) {
        const struct comparison_class *of = &c->class[k];
        const size_t rows = of->end - of->first;
        const struct row_id *id = &c->row[of->first].id;
        char label[CLASS_LABEL];

        if (of->judged == rows)
            continue;
        fprintf(to,
                "%snot judged: %s, %s, %s: %zu of %zu rows, which %zu run%s "
                "lack%s, first %s\n",
                begin, id->benchmark, id->place,
                comparison_class_label(c, of, label), rows - of->judged, rows,
                of->incomplete, of->incomplete == 1 ? "" : "s",
                of->incomplete == 1 ? "s" : "", of->lacking);
        n++;
    }
    return n;
}

static void print_remarks(FILE *to, const struct comparison *c)
{
    for (size_t i = 0; i < c->how->left_out.n; i++)
        fprintf(to, "left out, since it failed: %s\n",
                c->how->left_out.text[i]);
    comparison_gaps_print(to, c, "");
    beside_classes(to, c, "");
    allowed_diff(to, c->variant[0], c->variant[1], &c->how->may);
    version_diff(to, c->variant[0], c->variant[1]);
    for (int k = 0; k < 2; k++) {
        const struct variant *s = c->variant[k];
        const size_t n = variant_crowded(s);

        if (n > 0)
            fprintf(to,
                    "in %zu of %zu runs of %s the ranks shared CPUs (W08): "
                    "their times show the scheduler, not MPI\n",
                    n, s->n, s->name);
        print_doubtful(to, c, k);
    }
}

void comparison_remarks(const struct comparison *c,
                        void (*say)(void *to, const char *sentence), void *to)
{
    char *text = NULL, *valid, *rest, *line;
    size_t length;
    FILE *lines = given_memory(open_memstream(&text, &length));

    print_remarks(lines, c);
    fclose(lines);
    rest = valid = given_memory(utf8_repaired(given_memory(text)));
    while ((line = strsep(&rest, "\n")) != NULL)
        if (line[0] != '\0')
            say(to, line);
    free(valid);
    free(text);
}

/* Classes with so few runs that no difference could be found. */
static size_t too_few(FILE *to, const struct comparison *c, const char *begin)
{
    const struct verdict_sum sum = comparison_sum_of(c);
    const struct comparison_class *of = c->class;
    const struct row_id *id;
    char label[CLASS_LABEL];

    if (sum.callable == c->classes)
        return 0;
    while (verdict_can_tell(&of->verdict, c->classes, c->level))
        of++;
    id = &c->row[of->first].id;
    fprintf(to, "%snot judged: ", begin);
    if (c->classes - sum.callable > 1)
        fprintf(to, "%zu of %zu classes, first ", c->classes - sum.callable,
                c->classes);
    fprintf(to,
            "%s, %s, %s: %zu and %zu runs show no difference; each needs at "
            "least %d\n",
            id->benchmark, id->place, comparison_class_label(c, of, label),
            of->runs[0], of->runs[1], sum.needed);
    return 1;
}

/* The first row with wrong data, and in how many rows of runs they are. */
static size_t wrong_data(FILE *to, const struct variant *s, const char *begin)
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
        fprintf(to, "%s%s: wrong data: %s; wrong in %zu row%s of %s\n", begin,
                path, key, n, n == 1 ? "" : "s", s->name);
    return n > 0;
}

size_t comparison_faults(FILE *to, const struct comparison *c,
                         const char *begin)
{
    for (size_t i = 0; i < c->how->left_out.n; i++)
        fprintf(to, "%sleft out, since it failed: %s\n", begin,
                c->how->left_out.text[i]);
    return c->how->left_out.n + comparison_gaps_print(to, c, begin) +
           too_few(to, c, begin) + beside_classes(to, c, begin) +
           wrong_data(to, c->variant[0], begin) +
           wrong_data(to, c->variant[1], begin);
}
