/* SPDX-License-Identifier: BSD-3-Clause */
/* report - results as one self-contained HTML page: environments side by side, plots, tables
   and verdicts. */
#include <stdlib.h>

#include "comparison/comparison_options.h"
#include "comparison/comparison_print.h"
#include "pages/report_page.h"
#include "verbs.h"

static struct {
    struct comparison_options how;
    const char *output, *title;
} given = { .how = COMPARISON_DEFAULTS, .output = "report.html" };

static const struct tool_option options[] = {
    { "output", 'o', "FILE", "the page [report.html]", &given.output, NULL },
    { "title", 't', "TEXT", "title of the page [new compared with old]",
      &given.title, NULL },
    COMPARISON_OPTIONS(given.how),
    { .name = NULL }
};

/* Each variant but the first against it; those that cannot be have no rows. */
static void compare_all(struct report *r)
{
    char words[WHY + 20];

    for (int k = 0; k < r->all.n; k++) {
        if (comparison_make(&r->all.with[k], r->table, k + 1, &given.how,
                            r->why[k]))
            continue;
        snprintf(words, sizeof words, "not compared: %s", r->why[k]);
        tool_refuses(words);
    }
}

static bool write_all(const struct row_table *t, char why[WHY])
{
    struct report r = { .title = given.title,
                        .table = t,
                        .all = { .n = t->variants - 1,
                                 .left_out = given.how.left_out },
                        .why = given_memory(calloc(VARIANTS, sizeof *r.why)) };
    struct document said = { .n = 0 }, d = { .n = 0 };
    bool good;

    compare_all(&r);
    comparisons_add(&d, &r.all, true);
    document_add(&said, DOCUMENT_NOTE, "page: %s", given.output);
    good = write_file(given.output, report_page, &r, why) &&
           tool_answer(&said, "# ", &d, why);
    document_release(&d);
    document_release(&said);
    for (int k = 0; k < r.all.n; k++)
        comparison_release(&r.all.with[k]);
    free(r.why);
    return good;
}

static int run(const char *const *word, size_t n)
{
    struct variants of = { .n = 0 };
    struct row_table table = { .rows = 0 };
    char why[WHY];
    bool good = variants_read(&of, word, n, 1, &given.how.may, why);

    if (good)
        row_table_make(&table, of.variant, of.n, &given.how.may);
    good = good && (table.rows > 0 || refuse(why, "no row has a value")) &&
           write_all(&table, why);
    row_table_release(&table);
    variants_release(&of);
    return good ? EXIT_SUCCESS : tool_refuses(why);
}

const struct tool_verb verb_report = {
    "report",
    "[OPTION...] [NAME=]RESULTS...",
    "Write results as one self-contained HTML page with tables and curves.\n"
    "\n"
    "RESULTS is a JSON result file (--json of a benchmark) or a folder of them.\n"
    "The second and further RESULTS are compared with the first, the baseline.",
    "Examples:\n"
    "  alidade-analysis report -o page.html results\n"
    "  alidade-analysis report old=results/old new=results/new\n"
    "\n"
    "Exit codes: 0 success, 1 not readable, not written, or files of one variant\n"
    "not comparable.",
    options,
    run
};
