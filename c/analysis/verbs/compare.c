/* SPDX-License-Identifier: BSD-3-Clause */
/* compare - is one variant faster than another, by how much, how surely? */
#include <stdlib.h>
#include <string.h>

#include "comparison/comparison_export.h"
#include "comparison/comparison_options.h"
#include "comparison/comparison_print.h"
#include "verbs.h"

enum { EXIT_SLOWER = 2 };

static struct {
    struct comparison_options how;
    bool gate, rows;
    const char *markdown, *junit, *json, *list;
} given = { .how = COMPARISON_DEFAULTS };

static const struct tool_option options[] = {
    COMPARISON_OPTIONS(given.how),
    { "rows", 0, NULL, "also print a table of all rows", &given.rows, NULL },
    { "gate", 0, NULL,
      "exit with code 2 if a class is slower, and\n"
      "with code 1 if something was not judged",
      &given.gate, NULL },
    { "list", 0, "VERDICT",
      "print only the classes with this verdict:\n"
      "faster, slower, same, undecided",
      &given.list, NULL },
    { "markdown", 0, "FILE", "also write the tables as Markdown",
      &given.markdown, NULL },
    { "junit", 0, "FILE", "also write a JUnit XML case for each class",
      &given.junit, NULL },
    { "json", 0, "FILE", "also write classes and rows as JSON", &given.json,
      NULL },
    { .name = NULL }
};

/* Verdict, variant, benchmark and sizes, for scripts. */
static void list_classes(const struct comparison *c)
{
    char label[CLASS_LABEL];

    for (size_t k = 0; k < c->classes; k++)
        if (strcmp(verdict_word(c->class[k].verdict.is), given.list) == 0)
            printf("%s %s %s %s\n", given.list, c->variant[1]->name,
                   c->row[c->class[k].first].id.benchmark,
                   comparison_class_label(c, &c->class[k], label));
}

static void print_all(const struct comparisons *all)
{
    for (int i = 0; i < all->n; i++)
        if (given.list != NULL) {
            list_classes(&all->with[i]);
        } else {
            fputs(i > 0 ? "\n" : "", stdout);
            comparison_text(stdout, &all->with[i], given.rows);
        }
}

/* The exit code of the gate. */
static int gate(const struct comparisons *all)
{
    size_t slower = 0, faults = 0;

    for (int i = 0; i < all->n; i++) {
        slower += comparison_sum_of(&all->with[i]).of[VERDICT_SLOWER];
        faults += comparison_faults(stderr, &all->with[i], "compare: ");
    }
    return slower > 0 ? EXIT_SLOWER : faults > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int run(const char *const *word, size_t n)
{
    const char *const files[] = { given.markdown, given.junit, given.json };
    struct comparisons all = { .n = 0 };
    struct variants of = { .n = 0 };
    char why[WHY];
    bool good = can_be_written(files, 3, why) &&
                variants_read(&of, word, n, 2, &given.how.may, why);

    while (good && all.n < of.n - 1) {
        good = comparison_make(&all.with[all.n], &of.variant[0],
                               &of.variant[all.n + 1], &given.how, why);
        all.n += good;
    }
    if (good)
        print_all(&all);
    good = good && write_file(given.markdown, comparison_markdown, &all, why) &&
           write_file(given.junit, comparison_junit, &all, why) &&
           write_file(given.json, comparison_json, &all, why);
    const int code = !good        ? tool_refuses(why)
                     : given.gate ? gate(&all)
                                  : EXIT_SUCCESS;

    for (int i = 0; i < all.n; i++)
        comparison_release(&all.with[i]);
    variants_release(&of);
    return code;
}

const struct tool_verb verb_compare = {
    "compare",
    "[OPTION...] [NAME=]RESULTS [NAME=]RESULTS...",
    "Compare the results of two or more variants; the first is the baseline.\n"
    "\n"
    "RESULTS is a JSON result file (--json of a benchmark) or a folder of them.\n"
    "A verdict requires at least four runs of each variant. scripts/compare\n"
    "makes the runs and calls this tool.",
    "Example:\n"
    "  alidade-analysis compare --margin=5 old=results/old new=results/new\n"
    "\n"
    "Exit codes: 0 success, 1 not readable or not comparable, 2 slower (--gate).",
    options,
    run
};
