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
    const char *wrong = sizes_parse_list(text, &sizes);

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

    if (bytes < 0)
        return -1;
    while (k < limits->n && bytes > (double)limits->limit[k])
        k++;
    return k;
}

/* What the runs of a variant have of a class: sums of logarithms, and of how many rows. */
struct run_sum {
    double sum;
    size_t rows;
};

/* Add the runs of one row, seen[0..n-1], each relative to the mean over all of them. */
static void add_row(const struct comparison *c, struct run_sum *const run[2],
                    const struct launch_row *seen, size_t n)
{
    double mean = 0;

    for (size_t i = 0; i < n; i++)
        mean += log(result_row_time(seen[i].row)) / (double)n;
    for (size_t i = 0; i < n; i++) {
        const int k = seen[i].subject;
        struct run_sum *of = &run[k][seen[i].file - c->subject[k]->file];

        of->sum += log(result_row_time(seen[i].row)) - mean;
        of->rows++;
    }
}

/* The geometric mean of each run's rows; returns how many runs have any. */
static size_t means_of(const struct run_sum *run, size_t n, double *mean)
{
    size_t known = 0;

    for (size_t i = 0; i < n; i++)
        if (run[i].rows > 0)
            mean[known++] = exp(run[i].sum / (double)run[i].rows);
    return known;
}

/* The verdict of the class of which the rows have been added. */
static void judge(const struct comparison *c, struct comparison_class *class,
                  struct run_sum *const run[2])
{
    const size_t runs = c->subject[0]->n + c->subject[1]->n;
    double *mean = given_memory(malloc((runs + 1) * sizeof *mean));
    const size_t of_a = means_of(run[0], c->subject[0]->n, mean),
                 of_b = means_of(run[1], c->subject[1]->n, mean + of_a);

    class->launches[0] = of_a;
    class->launches[1] = of_b;
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
    const struct row_id *id = &c->row[i].id;

    return row_id_same_table(id, &c->row[class->first].id) &&
           size_class_of(&c->sizes, id->bytes) == class->size;
}

void comparison_classes_make(struct comparison *c,
                             const struct launch_row *seen, size_t count)
{
    struct comparison_class *class = NULL;
    struct run_sum *run[2];
    struct verdict *v;
    size_t row = 0;

    c->class = given_memory(calloc(c->rows + 1, sizeof *c->class));
    for (int k = 0; k < 2; k++)
        run[k] = given_memory(calloc(c->subject[k]->n + 1, sizeof *run[k]));
    for (size_t i = 0, end; i < count; i = end) {
        end = launch_rows_end(seen, i, count);
        if (row == c->rows || !row_id_equal(&seen[i].id, &c->row[row].id))
            continue; /* only one variant has it */
        if (class == NULL || !is_of_class(c, class, row)) {
            class = &c->class[c->classes++];
            *class = (struct comparison_class){
                .first = row, .size = size_class_of(&c->sizes, seen[i].id.bytes)
            };
            for (int k = 0; k < 2; k++)
                memset(run[k], 0, c->subject[k]->n * sizeof *run[k]);
        }
        add_row(c, run, seen + i, end - i);
        class->end = ++row;
        if (row == c->rows || !is_of_class(c, class, row))
            judge(c, class, run);
    }
    v = verdicts_of_classes(c);
    verdict_settle(v, c->classes, c->margin, c->level);
    for (size_t i = 0; i < c->classes; i++)
        c->class[i].verdict = v[i];
    free(v);
    free(run[0]);
    free(run[1]);
}

struct verdict_sum comparison_sum_of_classes(const struct comparison *c)
{
    struct verdict *v = verdicts_of_classes(c);
    const struct verdict_sum sum = verdict_sum_of(v, c->classes, c->level);

    free(v);
    return sum;
}

size_t comparison_class_rows(const struct comparison *c,
                             const struct comparison_class *of,
                             enum verdict_is is)
{
    size_t n = 0;

    for (size_t i = of->first; i < of->end; i++)
        n += c->row[i].verdict.is == is;
    return n;
}

void comparison_classes_confirm(struct comparison *c)
{
    for (size_t k = 0; k < c->classes; k++) {
        struct comparison_class *of = &c->class[k];
        size_t cleared = 0;

        for (size_t i = of->first; i < of->end; i++)
            cleared += c->row[i].again == COMPARISON_NOT_AGAIN;
        if (of->verdict.is == VERDICT_SLOWER && cleared > 0 &&
            comparison_class_rows(c, of, VERDICT_SLOWER) == 0) {
            of->verdict.is = VERDICT_UNDECIDED;
            of->not_again = true;
        }
    }
}

size_t comparison_classes_end(const struct comparison *c, size_t first)
{
    const struct row_id *id = &c->row[c->class[first].first].id;
    size_t end = first + 1;

    while (end < c->classes &&
           row_id_same_table(&c->row[c->class[end].first].id, id))
        end++;
    return end;
}

const char *comparison_class_label(const struct comparison *c,
                                   const struct comparison_class *of,
                                   char text[80])
{
    const bool last = of->size == c->sizes.n;
    char words[32];

    snprintf(text, 80, "-");
    if (of->size >= 0 && c->sizes.n > 0)
        snprintf(text, 80, "%s %s", last ? "above" : "to",
                 size_words((double)c->sizes.limit[of->size - (last ? 1 : 0)],
                            words));
    return text;
}

/* Does class k begin the classes of its benchmark and place? */
static bool is_first(const struct comparison *c, size_t k)
{
    return k == 0 || comparison_classes_end(c, k - 1) == k;
}

const char *comparison_class_sizes(const struct comparison *c, size_t first,
                                   size_t last, char text[80])
{
    const int from = c->class[first].size, to = c->class[last].size;
    char words[32];

    text[0] = '\0';
    if (is_first(c, first) && comparison_classes_end(c, last) == last + 1 &&
        comparison_classes_end(c, first) == last + 1)
        return text;
    if (to < 0)
        text_add(text, 80, "without a size");
    if (from > 0 && !is_first(c, first))
        text_add(text, 80, "above %s",
                 size_words((double)c->sizes.limit[from - 1], words));
    if (to >= 0 && to < c->sizes.n)
        text_add(text, 80, "%sto %s", text[0] != '\0' ? " " : "",
                 size_words((double)c->sizes.limit[to], words));
    return text;
}
