/* SPDX-License-Identifier: BSD-3-Clause */
/* compare - is one variant faster than another, by how much, how surely? */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "comparison/comparison_export.h"
#include "comparison/comparison_options.h"
#include "comparison/comparison_print.h"
#include "verbs.h"

enum { EXIT_SLOWER = 2 };

static struct {
    struct comparison_options how;
    bool gate, rows;
    const char *junit, *json, *list;
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
                   c->row[c->class[k].first].id->benchmark,
                   comparison_class_label(c, &c->class[k], label));
}

/* Is there a verdict of that name? */
static bool is_verdict(const char *word, char why[WHY])
{
    struct nearest near = { .text = word, .length = strlen(word) };

    for (int v = VERDICT_UNDECIDED; v <= VERDICT_SLOWER; v++) {
        if (strcmp(word, verdict_word((enum verdict_is)v)) == 0)
            return true;
        nearest_offer(&near, verdict_word((enum verdict_is)v));
    }
    return refuse(why, "--list '%s' is no verdict%s", word,
                  nearest_question(&near, ""));
}

static bool answer(const struct comparisons *all, char why[WHY])
{
    struct document text = { .n = 0 }, full = { .n = 0 };
    bool good;

    for (int i = 0; i < all->n && given.list != NULL; i++)
        list_classes(&all->with[i]);
    if (given.list == NULL)
        comparisons_add(&text, all, given.rows);
    comparisons_add(&full, all, true);
    good = tool_answer(&text, "# ", &full, why) &&
           write_file(given.junit, comparison_junit, all, why) &&
           write_file(given.json, comparison_json, all, why);
    document_release(&text);
    document_release(&full);
    return good;
}

/* The exit code of the gate, and what it let pass undecided. */
static int gate(const struct comparisons *all)
{
    size_t slower = 0, faults = all->left_out.n, open = 0, classes = 0;
    double most = 0;
    char words[WHY];

    for (size_t i = 0; i < all->left_out.n; i++)
        tool_refuses(all->left_out.text[i]);
    for (int i = 0; i < all->n; i++) {
        const struct comparison *c = &all->with[i];
        const struct verdict_sum sum = comparison_sum_of(c);

        slower += sum.of[VERDICT_SLOWER];
        classes += c->classes;
        for (size_t k = 0; k < c->classes; k++) {
            const struct verdict *v = &c->class[k].verdict;

            /* Without an interval nothing is excluded, and its fault is said. */
            if (v->is != VERDICT_UNDECIDED || !v->ratio.has_interval ||
                v->ratio.high <= 1 + c->margin)
                continue;
            open++;
            most = fmax(most, v->ratio.high);
        }
        for (size_t k = 0; k < c->notes; k++)
            if ((c->note[k].kind & NOTE_FAULT) != 0 && ++faults > 0)
                tool_refuses(c->note[k].text);
    }
    if (slower == 0 && faults == 0 && open > 0) {
        snprintf(
            words, sizeof words,
            "the gate is passed, but %zu of %zu class%s undecided, and may "
            "be slower: up to %.3g times as long is not excluded",
            open, classes, classes == 1 ? " is" : "es are", most);
        tool_refuses(words);
    }
    return slower > 0 ? EXIT_SLOWER : faults > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int run(const char *const *word, size_t n)
{
    struct comparisons all = { .left_out = given.how.left_out };
    struct variants of = { .n = 0 };
    struct row_table table = { .rows = 0 };
    char why[WHY];
    bool good = (given.list == NULL || is_verdict(given.list, why)) &&
                variants_read(&of, word, n, all.left_out.n > 0 ? 0 : 2,
                              &given.how.may, why);
    int code;

    if (good)
        row_table_make(&table, of.variant, of.n, &given.how.may);
    while (good && all.n < of.n - 1) {
        good = comparison_make(&all.with[all.n], &table, all.n + 1, &given.how,
                               why);
        all.n += good;
    }
    good = good && answer(&all, why) &&
           (all.n > 0 || refuse(why, "nothing is left to compare"));
    code = !good ? tool_refuses(why) : given.gate ? gate(&all) : EXIT_SUCCESS;
    for (int i = 0; i < all.n; i++)
        comparison_release(&all.with[i]);
    row_table_release(&table);
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
