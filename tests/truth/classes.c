/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * classes - what compare says of size classes, on stored runs of one variant.
 *
 *   classes RESULTS...    200 comparisons; each RESULTS (a folder) is drawn from by itself
 *
 * Alike: eight runs a side are drawn from the stored ones, without putting any back, so no
 * class may be called faster or slower; at most 5 % of the comparisons may have one that
 * is, without a margin as well.  Injected: then all rows of one class take 5, 10 or 20 % longer
 * on one side.  A class must be found at least as often as its rows are on average if each is
 * a class: it is why there are classes.  How often that is depends on how far the stored runs differ.
 *
 * Exit code 0: so it is; 1: not, or RESULTS cannot be read.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../reference/series.h"
#include "comparison/comparison_classes.h"

enum { COMPARISONS = 200, RUNS = 8 };

static uint64_t random_state;

static bool failed;

/* The stored runs in another order: those of each side follow each other. */
static void shuffle(struct variant *stored)
{
    for (size_t i = stored->n; i > 1; i--) {
        const size_t k = (size_t)(series_uniform(&random_state) * (double)i);
        const struct result_file file = stored->file[k];

        stored->file[k] = stored->file[i - 1];
        stored->file[i - 1] = file;
    }
}

/* Deal RUNS of each benchmark to either side, whose files have room; the others stay. */
static void deal(const struct variant *stored, struct variant side[2])
{
    side[0].n = side[1].n = 0;
    for (size_t i = 0; i < stored->n; i++) {
        const struct result_file *file = &stored->file[i];

        for (int k = 0; k < 2; k++) {
            size_t has = 0;

            for (size_t j = 0; j < side[k].n; j++)
                has += strcmp(side[k].file[j].benchmark, file->benchmark) == 0;
            if (has < RUNS) {
                side[k].file[side[k].n++] = *file;
                break;
            }
        }
    }
}

static const struct size_limits usual = SIZE_LIMITS_DEFAULT,
                                each_row = { .rows = true };

static struct comparison compare(const struct variant side[2], double margin,
                                 struct size_limits sizes)
{
    const struct comparison_options how = { .margin = margin, .sizes = sizes };
    struct row_table *table = given_memory(malloc(sizeof *table));
    struct comparison c;
    char why[WHY];

    row_table_make(table, side, 2, &how.may);
    if (!comparison_make(&c, table, 1, &how, why)) {
        fprintf(stderr, "classes: %s\n", why);
        exit(EXIT_FAILURE);
    }
    return c;
}

/* The comparison and its table. */
static void end(struct comparison *c)
{
    struct row_table *table = (struct row_table *)c->table;

    comparison_release(c);
    row_table_release(table);
    free(table);
}

/* All rows of a class, in all runs of a side, take so many times as long. */
static void stretch(const struct variant *side, const struct comparison *c,
                    const struct comparison_class *of, double times)
{
    for (size_t i = 0; i < side->n; i++) {
        const struct result_file *f = &side->file[i];
        json_t *row;
        char key[ROW_KEY];
        size_t k;

        if (strcmp(f->benchmark, c->row[of->first].id->benchmark) != 0)
            continue;
        json_array_foreach(f->rows, k, row)
        {
            bool in = false;

            result_row_key(row, key, sizeof key);
            for (size_t r = of->first; r < of->end; r++)
                in = in || strcmp(key, c->row[r].id->key) == 0;
            if (in)
                json_object_set_new(
                    row, "median",
                    json_real(result_row_figure(row) *
                              (strcmp(c->row[of->first].id->unit, "MB/s") == 0
                                   ? 1 / times
                                   : times)));
        }
    }
}

static bool is_wrong(const struct comparison *c)
{
    const struct verdict_sum sum = comparison_sum_of(c);

    return sum.of[VERDICT_FASTER] + sum.of[VERDICT_SLOWER] > 0;
}

enum { CLASSES_MAX = 64 };

static const double more[] = { 1.05, 1.1, 1.2 };

enum { MORE = sizeof more / sizeof *more };

/* Of the comparisons: in how many a class that takes longer is found, how many of its rows
   are, and in how many of these it is found while at least half of its rows are not. */
struct found {
    int class, alone;
    double rows;
};

static void inject(const struct variant side[2], const struct comparison *alike,
                   size_t k, double times, struct found *found)
{
    const struct comparison_class *of = &alike->class[k];
    const size_t rows = of->end - of->first;
    struct comparison c, by_row;
    size_t slower = 0;

    stretch(&side[1], alike, of, times);
    c = compare(side, 0.03, usual);
    by_row = compare(side, 0.03, each_row);
    for (size_t i = of->first; i < of->end; i++)
        slower += by_row.class[i].verdict.is == VERDICT_SLOWER;
    found->rows += (double)slower / (double)rows;
    if (c.class[k].verdict.is == VERDICT_SLOWER) {
        found->class ++;
        found->alone += 2 * slower <= rows;
    }
    end(&c);
    end(&by_row);
    stretch(&side[1], alike, of, 1 / times);
}

static void print_found(const struct comparison *c, double times,
                        const struct found *found)
{
    for (size_t k = 0; k < c->classes; k++) {
        const struct comparison_class *of = &c->class[k];
        char label[CLASS_LABEL];

        printf("%3.0f%% more   %-16s %-14s %3zu %8.1f%% %8.1f%% %8.1f%%\n",
               100 * (times - 1), c->row[of->first].id->benchmark,
               comparison_class_label(c, of, label), of->end - of->first,
               100.0 * found[k].class / COMPARISONS,
               100.0 * found[k].alone / COMPARISONS,
               100 * found[k].rows / COMPARISONS);
        failed = failed || found[k].class < found[k].rows;
    }
}

static void check(struct variant *stored)
{
    struct found found[MORE][CLASSES_MAX] = { { { 0 } } };
    struct variant side[2] = { { .name = "one" }, { .name = "other" } };
    int wrong = 0, wrong_without_margin = 0;
    struct comparison c, bare;

    for (int k = 0; k < 2; k++)
        side[k].file =
            given_memory(malloc((stored->n + 1) * sizeof *side[k].file));
    for (int i = 0; i < COMPARISONS; i++) {
        shuffle(stored);
        deal(stored, side);
        c = compare(side, 0.03, usual);
        bare = compare(side, 0, usual);
        wrong += is_wrong(&c);
        wrong_without_margin += is_wrong(&bare);
        for (size_t k = 0; k < c.classes && k < CLASSES_MAX; k++)
            for (int m = 0; m < MORE; m++)
                inject(side, &c, k, more[m], &found[m][k]);
        if (i + 1 == COMPARISONS) {
            printf("# %zu files: %zu rows in %zu classes; %zu and %zu runs\n",
                   stored->n, c.rows, c.classes, c.class[0].runs[0],
                   c.class[0].runs[1]);
            printf("alike: of %d comparisons %d have a class that is faster or "
                   "slower; without a margin %d\n",
                   COMPARISONS, wrong, wrong_without_margin);
            puts(
                "# injected  benchmark        sizes         rows    found  alone  rows found");
            for (int m = 0; m < MORE; m++)
                print_found(&c, more[m], found[m]);
        }
        end(&c);
        end(&bare);
    }
    failed = failed || wrong > COMPARISONS / 20 ||
             wrong_without_margin > COMPARISONS / 20;
    free(side[0].file);
    free(side[1].file);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        struct variant stored = { .name = "stored" };
        char why[WHY];

        random_state = 1;
        if (!variant_add(&stored, argv[i], why)) {
            fprintf(stderr, "classes: %s\n", why);
            return EXIT_FAILURE;
        }
        printf("# %s\n", argv[i]);
        check(&stored);
        variant_release(&stored);
    }
    puts(failed || argc < 2 ? "FAIL" : "pass");
    return failed || argc < 2 ? EXIT_FAILURE : EXIT_SUCCESS;
}
