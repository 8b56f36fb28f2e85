/* SPDX-License-Identifier: BSD-3-Clause */
/* report - results as one self-contained HTML page: environments side by side, plots, tables
   and verdicts.  examine - the same of hosts, after what is odd among them. */
#include <stdlib.h>
#include <string.h>

#include "comparison/comparison_options.h"
#include "comparison/comparison_print.h"
#include "examination/summary.h"
#include "pages/answer_page.h"
#include "pages/heat_map.h"
#include "pages/page.h"
#include "pages/plot.h"
#include "pages/report_page.h"
#include "text/markup.h"
#include "verbs.h"

enum { EXIT_ODD = 2, EXIT_TOO_FEW = 3 };

static struct {
    struct comparison_options how;
    const char *output, *title, *markdown;
    const char *left_out, *again, *json; /* of examine */
} given = { .how = COMPARISON_DEFAULTS, .output = "report.html" };

#define PAGE_OPTIONS                                                           \
    { "output", 'o', "FILE", "the page [report.html]", &given.output, NULL },  \
    {                                                                          \
        "title", 't', "TEXT", "title of the page [new compared with old]",     \
            &given.title, NULL                                                 \
    }

static const struct tool_option options[] = {
    PAGE_OPTIONS,
    { "markdown", 0, "FILE", "also write the comparisons as Markdown",
      &given.markdown, NULL },
    COMPARISON_OPTIONS(given.how),
    { .name = NULL }
};

static const struct tool_option examine_options[] = {
    PAGE_OPTIONS,
    { "left-out", 0, "FILE", "parts that have no results", &given.left_out,
      NULL },
    { "command", 0, "TEXT", "command that examines {hosts} again", &given.again,
      NULL },
    { "json", 0, "FILE", "also write what is odd as JSON", &given.json, NULL },
    { .name = NULL }
};

/* Say what is wrong with a file, or "".  Returns false. */
static bool say_why(const char *path, const char *why)
{
    char text[WHY];

    refuse(text, "%s%s%s", path, path[0] != '\0' ? ": " : "", why);
    tool_refuses(text);
    return false;
}

/* Each variant but the first against it; those that cannot be have no rows. */
static void compare_all(FILE *to, const struct row_table *t,
                        struct comparison *with)
{
    char why[WHY] = "";
    bool any = false;

    for (int k = 1; k < t->variants; k++) {
        if (comparison_make(&with[k - 1], &t->variant[0], &t->variant[k],
                            &given.how, why)) {
            answer_page(to, t, &with[k - 1]);
            any = true;
        } else {
            with[k - 1] = (struct comparison){ .rows = 0 };
            say_why("not compared", why);
            markup_print(to, "<p><strong>%s</strong>: %s</p>\n",
                         t->variant[k].name, why);
        }
    }
    if (any) {
        markup_print(to, "<p class=\"note\">Compared with the baseline %s",
                     t->variant[0].name);
        fprintf(to, ", run by run, with a margin of %g%%.</p>\n",
                100 * given.how.margin);
    }
}

/* What the remarks of a comparison say of two. */
static void say_doubtful(FILE *to, const struct row_table *t)
{
    struct doubtful all = { .rows = 0 };
    char words[WHY];

    for (size_t i = 0; i < t->rows; i++)
        doubtful_add(&all, &t->row[i].id, t->row[i].cell[0].doubtful);
    if (doubtful_words(&all, t->variant[0].name, words)[0] != '\0')
        markup_print(to, "<p class=\"note\">%s</p>\n", words);
}

/* All pairs of the smallest and of the largest message. */
static void heat_maps(FILE *to, const struct row_table *t, size_t first,
                      size_t end)
{
    size_t count;
    struct run_row *row =
        run_rows_of(t->variant, t->variants, &given.how.may, &count);

    for (size_t i = first; i<end; i += end - first> 1 ? end - first - 1 : 1)
        for (int k = 0; k < t->variants; k++)
            heat_map(to, row, count, &t->row[i].id, k, t->variant[k].name);
    free(row);
}

static void section(FILE *to, const struct row_table *t, size_t first,
                    size_t end, const struct comparison *with)
{
    markup_print(to, "<section>\n<h2>%s <small>(%s)</small></h2>\n",
                 t->row[first].id.benchmark, t->row[first].id.place);
    plot_curves(to, t, first, end);
    report_page_table(to, t, first, end, with);
    heat_maps(to, t, first, end);
    fputs("</section>\n", to);
}

/* "new compared with old", "a, b compared with old" */
static void begin(FILE *to, const struct row_table *t)
{
    char title[VARIANTS * (VARIANT_NAME + 2) + 20] = "";

    for (int k = 1; k < t->variants; k++)
        text_add_word(title, sizeof title, ", ", t->variant[k].name,
                      VARIANT_NAME);
    text_add(title, sizeof title, "%s%s",
             t->variants > 1 ? " compared with " : "", t->variant[0].name);
    page_begin(to, given.title != NULL ? given.title : title);
}

/* What a page is written from. */
struct report {
    const struct row_table *table;
    struct comparisons all;
    const struct summary *summary; /* of examine; NULL: none */
};

static bool write_page(FILE *to, const void *what)
{
    /* Comparisons are made where the page has them. */
    struct report *r = (struct report *)what;
    const struct row_table *t = r->table;
    size_t end;

    begin(to, t);
    if (r->summary != NULL)
        summary_page(to, r->summary);
    compare_all(to, t, r->all.with);
    if (t->variants == 1)
        say_doubtful(to, t);
    for (size_t i = 0; i < t->rows; i = row_table_next_benchmark(t, i))
        report_page_places(to, t, i, row_table_next_benchmark(t, i));
    for (size_t i = 0; i < t->rows; i = end) {
        end = row_table_next(t, i);
        section(to, t, i, end, r->all.with);
    }
    report_page_timeline(to, t);
    fputs("<h2>What was measured</h2>\n", to);
    report_page_variants(to, t);
    if (r->summary != NULL)
        summary_rules(to);
    page_end(to);
    return true;
}

static bool write_report(const struct row_table *t,
                         const struct summary *summary)
{
    struct report r = { t, { .n = t->variants - 1 }, summary };
    char why[WHY];
    bool good = write_file(given.output, write_page, &r, why);

    if (good)
        printf("# page: %s\n", given.output);
    good = (good &&
            write_file(given.markdown, comparison_markdown, &r.all, why)) ||
           say_why("", why);
    for (int k = 0; k < r.all.n; k++)
        comparison_release(&r.all.with[k]);
    return good;
}

/* The exit code. */
static int examine(const struct findings *f, const struct row_table *t)
{
    const struct summary summary = { f, given.again };
    char why[WHY];

    if (!write_file(given.json, summary_json, &summary, why))
        return tool_refuses(why);
    summary_print(stdout, &summary);
    return !write_report(t, &summary) ? EXIT_FAILURE
           : findings_odd(f) > 0      ? EXIT_ODD
           : !findings_measured(f)    ? EXIT_FAILURE
           : findings_possible(f)     ? EXIT_SUCCESS
                                      : EXIT_TOO_FEW;
}

static int run_examine(const char *const *word, size_t n)
{
    const char *const files[] = { given.output, given.json };
    struct variant of = { .name = "examination" };
    struct findings f = { .n = 0 };
    struct row_table table;
    int code = EXIT_FAILURE;
    char why[WHY];

    if (n != 1)
        return tool_refuses("one folder of results is needed");
    if (!can_be_written(files, 2, why) || !variant_add(&of, word[0], why) ||
        !findings_make(&f, &of, given.left_out, why)) {
        tool_refuses(why);
    } else {
        row_table_make(&table, &of, 1, &given.how.may);
        code = examine(&f, &table);
        row_table_release(&table);
    }
    findings_release(&f);
    variant_release(&of);
    return code;
}

static int run(const char *const *word, size_t n)
{
    const char *const files[] = { given.output, given.markdown };
    struct variants of = { .n = 0 };
    struct row_table table = { .rows = 0 };
    char why[WHY];
    bool good = can_be_written(files, 2, why) &&
                variants_read(&of, word, n, 1, &given.how.may, why);

    if (good)
        row_table_make(&table, of.variant, of.n, &given.how.may);
    good = (good && (table.rows > 0 || refuse(why, "no row has a value"))) ||
           say_why("", why);
    good = good && write_report(&table, NULL);
    row_table_release(&table);
    variants_release(&of);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
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

const struct tool_verb verb_examine = {
    "examine",
    "[OPTION...] RESULTS",
    "Print what is odd among hosts, and write it as an HTML page.\n"
    "\n"
    "RESULTS is a folder of results of scripts/examine, which calls this tool.",
    "Example:\n"
    "  alidade-analysis examine -o page.html examine-1/runs\n"
    "\n"
    "Exit codes: 0 nothing is odd, 1 not readable or not written, 2 something is\n"
    "odd, 3 hosts or runs are too few to find anything.",
    examine_options,
    run_examine
};
