/* SPDX-License-Identifier: BSD-3-Clause */
#include "comparison_classes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer_size.h"
#include "base/sizes.h"

const char *size_limits_read(struct size_limits *limits, const char *text)
{
    struct sizes sizes = { .list = NULL };
    const char *wrong;

    *limits = (struct size_limits){ .rows = strcmp(text, "rows") == 0 };
    if (limits->rows)
        return NULL;
    wrong = sizes_parse_list(text, &sizes);
    if (wrong == NULL && sizes.n > SIZE_LIMITS)
        wrong = "has too many sizes";
    if (wrong == NULL) {
        limits->n = (int)sizes.n;
        memcpy(limits->limit, sizes.list, sizes.n * sizeof *sizes.list);
    }
    free(sizes.list);
    return wrong;
}

static int size_class_of(const struct size_limits *limits, double bytes)
{
    int k = 0;

    if (bytes < 0 || limits->rows)
        return -1;
    while (k < limits->n && bytes > (double)limits->limit[k])
        k++;
    return k;
}

/* What a run has of a class: how many rows, and of those by which the class is judged the
   sum of logarithms. */
struct run_sum {
    double sum;
    size_t rows, judged;
};

/* How many runs of both variants have the row. */
static size_t runs_of(const struct comparison_row *row)
{
    return row->cell[0]->runs + row->cell[1]->runs;
}

static struct run_sum *sum_of(const struct comparison *c,
                              struct run_sum *const run[2], int k,
                              const struct run_row *seen)
{
    return &run[k][seen->file - c->variant[k]->file];
}

/* Add the runs of one row, each relative to the mean over all of them. */
static void add_row(const struct comparison *c, struct run_sum *const run[2],
                    const struct comparison_row *row)
{
    double mean = 0;

    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < row->cell[k]->runs; i++)
            mean += log(row->cell[k]->run[i].time) / (double)runs_of(row);
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < row->cell[k]->runs; i++) {
            struct run_sum *of = sum_of(c, run, k, &row->cell[k]->run[i]);

            of->sum += log(row->cell[k]->run[i].time) - mean;
            of->judged++;
        }
}

/* Which runs have how many rows of the class, into run[] and the class. */
static void count_runs(const struct comparison *c,
                       struct comparison_class *class,
                       struct run_sum *const run[2])
{
    class->incomplete = 0;
    for (int k = 0; k < 2; k++) {
        class->runs[k] = 0;
        memset(run[k], 0, c->variant[k]->n * sizeof *run[k]);
        for (size_t i = class->first; i < class->end; i++)
            for (size_t n = 0; n < c->row[i].cell[k]->runs; n++)
                sum_of(c, run, k, &c->row[i].cell[k]->run[n])->rows++;
    }
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < c->variant[k]->n; i++) {
            class->runs[k] += run[k][i].rows > 0;
            if (run[k][i].rows == 0 ||
                run[k][i].rows == class->end - class->first)
                continue;
            if (class->incomplete++ == 0)
                class->lacking = c->variant[k]->file[i].path;
        }
}

/* The geometric mean of each run's rows; returns how many runs have any. */
static size_t means_of(const struct run_sum *run, size_t n, double *mean)
{
    size_t known = 0;

    for (size_t i = 0; i < n; i++)
        if (run[i].judged > 0)
            mean[known++] = exp(run[i].sum / (double)run[i].judged);
    return known;
}

/* The verdict of the class. */
static void judge(const struct comparison *c, struct comparison_class *class,
                  struct run_sum *const run[2])
{
    double *mean;
    size_t runs, of_a, of_b;

    count_runs(c, class, run);
    runs = class->runs[0] + class->runs[1];
    class->judged = 0;
    for (size_t i = class->first; i < class->end; i++)
        class->judged += runs_of(&c->row[i]) == runs;
    for (size_t i = class->first; i < class->end; i++)
        if (class->judged == 0 || runs_of(&c->row[i]) == runs)
            add_row(c, run, &c->row[i]);
    if (class->judged == 0)
        class->judged = class->end - class->first;
    mean = given_memory(malloc((runs + 1) * sizeof *mean));
    of_a = means_of(run[0], c->variant[0]->n, mean);
    of_b = means_of(run[1], c->variant[1]->n, mean + of_a);
    class->verdict = verdict_of(mean, of_a, mean + of_a, of_b, c->margin);
    free(mean);
}

/* To be freed. */
static struct verdict *verdicts_of_classes(const struct comparison *c)
{
    struct verdict *v = given_memory(malloc((c->classes + 1) * sizeof *v));

    for (size_t i = 0; i < c->classes; i++)
        v[i] = c->class[i].verdict;
    return v;
}

/* Does row i go on with the class? */
static bool is_of_class(const struct comparison *c,
                        const struct comparison_class *class, size_t i)
{
    const struct row_id *id = c->row[i].id;

    return !c->sizes.rows && row_id_same_table(id, c->row[class->first].id) &&
           size_class_of(&c->sizes, id->bytes) == class->size;
}

void comparison_classes_make(struct comparison *c)
{
    struct comparison_class *class = NULL;
    struct run_sum *run[2];
    struct verdict *v;

    c->class = given_memory(calloc(c->rows + 1, sizeof *c->class));
    for (size_t i = 0; i < c->rows; i++) {
        if (class == NULL || !is_of_class(c, class, i)) {
            class = &c->class[c->classes++];
            class->first = i;
            class->size = size_class_of(&c->sizes, c->row[i].id->bytes);
        }
        class->end = i + 1;
    }
    for (int k = 0; k < 2; k++)
        run[k] = given_memory(calloc(c->variant[k]->n + 1, sizeof *run[k]));
    for (size_t i = 0; i < c->classes; i++)
        judge(c, &c->class[i], run);
    v = verdicts_of_classes(c);
    verdict_settle(v, c->classes, c->margin, c->level);
    for (size_t i = 0; i < c->classes; i++)
        c->class[i].verdict = v[i];
    free(v);
    free(run[0]);
    free(run[1]);
}

struct verdict_sum comparison_sum_of(const struct comparison *c)
{
    struct verdict *v = verdicts_of_classes(c);
    const struct verdict_sum sum = verdict_sum_of(v, c->classes, c->level);

    free(v);
    return sum;
}

struct doubtful comparison_class_doubtful(const struct comparison *c,
                                          const struct comparison_class *of)
{
    struct doubtful all = { .rows = 0 };

    for (size_t i = of->first; i < of->end; i++) {
        const struct comparison_row *row = &c->row[i];

        doubtful_add(&all, row->id,
                     row->cell[row->cell[0]->doubtful == NULL]->doubtful);
    }
    return all;
}

size_t comparison_classes_end(const struct comparison *c, size_t first)
{
    const struct row_id *id = c->row[c->class[first].first].id;
    size_t end = first + 1;

    while (end < c->classes &&
           row_id_same_table(c->row[c->class[end].first].id, id))
        end++;
    return end;
}

const char *comparison_class_label(const struct comparison *c,
                                   const struct comparison_class *of,
                                   char text[CLASS_LABEL])
{
    const bool last = of->size == c->sizes.n;
    char words[32];

    snprintf(text, CLASS_LABEL, "%s",
             c->sizes.rows ? c->row[of->first].id->key : "-");
    if (of->size >= 0 && c->sizes.n > 0)
        snprintf(text, CLASS_LABEL, "%s %s", last ? "above" : "to",
                 size_words((double)c->sizes.limit[of->size - (last ? 1 : 0)],
                            words));
    return text;
}

/* Does class k begin the classes of its benchmark and place? */
static bool is_first(const struct comparison *c, size_t k)
{
    return k == 0 || comparison_classes_end(c, k - 1) == k;
}

/* Of classes that are a row each: "at 8B", "from 8B to 64B", or keys where they have no
   size. */
static void add_rows(const struct row_id *from, const struct row_id *to,
                     char text[CLASS_LABEL])
{
    char words[32];

    if (from->bytes < 0 || to->bytes < 0) {
        text_add(text, CLASS_LABEL, "%s", from->key);
        if (from != to)
            text_add(text, CLASS_LABEL, " to %s", to->key);
        return;
    }
    text_add(text, CLASS_LABEL, "%s %s", from == to ? "at" : "from",
             size_words(from->bytes, words));
    if (from != to)
        text_add(text, CLASS_LABEL, " to %s", size_words(to->bytes, words));
}

const char *comparison_class_sizes(const struct comparison *c, size_t first,
                                   size_t last, char text[CLASS_LABEL])
{
    const int from = c->class[first].size, to = c->class[last].size;
    char words[32];

    text[0] = '\0';
    if (is_first(c, first) && comparison_classes_end(c, last) == last + 1 &&
        comparison_classes_end(c, first) == last + 1)
        return text;
    if (c->sizes.rows)
        add_rows(c->row[c->class[first].first].id,
                 c->row[c->class[last].first].id, text);
    else if (to < 0)
        text_add(text, CLASS_LABEL, "without a size");
    if (from > 0 && !is_first(c, first))
        text_add(text, CLASS_LABEL, "above %s",
                 size_words((double)c->sizes.limit[from - 1], words));
    if (to >= 0 && to < c->sizes.n)
        text_add(text, CLASS_LABEL, "%sto %s", text[0] != '\0' ? " " : "",
                 size_words(fmin((double)c->sizes.limit[to],
                                 c->row[c->class[last].end - 1].id->bytes),
                            words));
    return text;
}
