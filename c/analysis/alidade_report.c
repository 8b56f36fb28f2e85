/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alidade-report - results as one self-contained HTML page: environments side by side,
 *                  plots, tables and verdicts.
 */
#ifdef HAVE_CONFIG_H
#    include "config.h"
#endif

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fresh_file.h"
#include "comparison/comparison_classes.h"
#include "comparison/comparison_options.h"
#include "comparison/comparison_print.h"
#include "examination/summary.h"
#include "pages/answer_page.h"
#include "pages/heat_map.h"
#include "pages/page.h"
#include "pages/plot.h"
#include "pages/report_page.h"
#include "text/markup.h"

static struct {
    struct comparison_words words;
    const char *output, *title, *markdown;
    bool summary; /* of hosts that were examined */
    const char *left_out, *again, *json;
} given = {
    .words = { .how = { .margin = 0.03,
                        .sizes = SIZE_LIMITS_DEFAULT,
                        .may = { .how = PERMIT_WITH_ALLOW } },
               .least = 1 },
    .output = "report.html",
};

enum { MARKDOWN = 256, SUMMARY, LEFT_OUT, AGAIN_COMMAND, JSON_FILE };

static const struct argp_option options[] = {
    { "output", 'o', "FILE", 0, NULL, 0 },
    { "title", 't', "TEXT", 0, NULL, 0 },
    { "markdown", MARKDOWN, "FILE", 0, NULL, 0 },
    { "summary", SUMMARY, NULL, 0, NULL, 0 },
    { "left-out", LEFT_OUT, "FILE", 0, NULL, 0 },
    { "command", AGAIN_COMMAND, "TEXT", 0, NULL, 0 },
    { "json", JSON_FILE, "FILE", 0, NULL, 0 },
    TOOL_OPTIONS,
    { NULL, 0, NULL, 0, NULL, 0 }
};

static const char help[] =
    "Usage: alidade-report [OPTION...] [NAME=]RESULTS...\n"
    "Write results as one self-contained HTML page with tables and curves.\n"
    "\n"
    "RESULTS is a JSON result file (--json of a benchmark) or a folder of them.\n"
    "The second and further RESULTS are compared with the first, the baseline.\n"
    "\n"
    "Options:\n"
    "  -o, --output=FILE         the page [report.html]\n"
    "  -t, --title=TEXT          title of the page [new compared with old]\n"
    "      --markdown=FILE       also write the comparisons as Markdown\n"
    "      --summary             begin with what is odd among hosts, and print\n"
    "                            it; RESULTS is one folder of scripts/examine\n"
    "      --left-out=FILE       parts of it that have no results\n"
    "      --command=TEXT        command that examines {hosts} again\n"
    "      --json=FILE           also write the summary as JSON\n" COMPARISON_HELP
        TOOL_HELP "\n"
    "Examples:\n"
    "  alidade-report -o page.html results\n"
    "  alidade-report old=results/old new=results/new\n"
    "\n"
    "Exit codes: 0 success, 1 not readable, not written, or files of one variant\n"
    "not comparable; with --summary 2 if something is odd, 3 if hosts or runs are\n"
    "too few to find anything.";

static error_t parse(int key, char *text, struct argp_state *state)
{
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &given.words;
        return 0;
    case 'o':
        given.output = text;
        return 0;
    case 't':
        given.title = text;
        return 0;
    case MARKDOWN:
        given.markdown = text;
        return 0;
    case SUMMARY:
        given.summary = true;
        return 0;
    case LEFT_OUT:
        given.left_out = text;
        return 0;
    case AGAIN_COMMAND:
        given.again = text;
        return 0;
    case JSON_FILE:
        given.json = text;
        return 0;
    case 'h':
        print_and_exit(help);
    case 'v':
        print_and_exit("alidade-report (Alidade) " PACKAGE_VERSION);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static bool say_why(const char *path, const char *why)
{
    fprintf(stderr, "report: %s%s%s\n", path, path[0] ? ": " : "", why);
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
                            &given.words.how, why)) {
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
                100 * given.words.how.margin);
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
        run_rows_of(t->variant, t->variants, &given.words.how.may, &count);

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

static void write_page(FILE *to, const struct row_table *t,
                       struct comparison *with, const struct summary *summary)
{
    size_t end;

    begin(to, t);
    if (summary != NULL)
        summary_page(to, summary);
    compare_all(to, t, with);
    if (t->variants == 1)
        say_doubtful(to, t);
    for (size_t i = 0; i < t->rows; i = row_table_next_benchmark(t, i))
        report_page_places(to, t, i, row_table_next_benchmark(t, i));
    for (size_t i = 0; i < t->rows; i = end) {
        end = row_table_next(t, i);
        section(to, t, i, end, with);
    }
    report_page_timeline(to, t);
    fputs("<h2>What was measured</h2>\n", to);
    report_page_variants(to, t);
    if (summary != NULL)
        summary_rules(to);
    page_end(to);
}

static bool write_markdown(const struct row_table *t,
                           const struct comparison *with)
{
    struct fresh_file file;

    if (given.markdown == NULL)
        return true;
    return (fresh_file_begin(&file, given.markdown) &&
            fresh_file_end(
                &file, comparison_markdown(file.to, with, t->variants - 1))) ||
           say_why(given.markdown, strerror(errno));
}

static bool write_report(const struct row_table *t,
                         const struct summary *summary)
{
    struct comparison with[VARIANTS] = { 0 };
    struct fresh_file file;
    bool good;

    if (!fresh_file_begin(&file, given.output))
        return say_why(given.output, strerror(errno));
    write_page(file.to, t, with, summary);
    good =
        fresh_file_end(&file, true) || say_why(given.output, strerror(errno));
    if (good)
        printf("# page: %s\n", given.output);
    good = good && write_markdown(t, with);
    for (int k = 1; k < t->variants; k++)
        comparison_release(&with[k - 1]);
    return good;
}

/* Print the summary, and write it as a page and as JSON. */
static bool write_summary(const struct row_table *t, const struct findings *f)
{
    const struct summary summary = { f, given.again };
    struct fresh_file file;

    if (given.json != NULL &&
        (!fresh_file_begin(&file, given.json) ||
         !fresh_file_end(&file, summary_json(file.to, &summary))))
        return say_why(given.json, strerror(errno));
    summary_print(stdout, &summary);
    return write_report(t, &summary);
}

/* What main does with --summary: the exit code. */
static int examine(void)
{
    struct variant of = { .name = "examination" };
    struct findings f = { .n = 0 };
    struct row_table table;
    char why[WHY];
    int code = EXIT_FAILURE;

    if (given.words.n > 1)
        say_why("", "--summary takes one folder");
    else if (!variant_add(&of, given.words.word[0], why) ||
             !findings_make(&f, &of, given.left_out, why))
        say_why("", why);
    else {
        row_table_make(&table, &of, 1, &given.words.how.may);
        if (write_summary(&table, &f))
            code = findings_odd(&f) > 0     ? 2
                   : !findings_measured(&f) ? EXIT_FAILURE
                   : findings_possible(&f)  ? EXIT_SUCCESS
                                            : 3;
        row_table_release(&table);
    }
    findings_release(&f);
    variant_release(&of);
    return code;
}

int main(int argc, char **argv)
{
    static const struct argp_child children[] = {
        { &comparison_argp, 0, NULL, 0 }, { NULL, 0, NULL, 0 }
    };
    static const struct argp argp = { options,  parse, NULL, NULL,
                                      children, NULL,  NULL };
    struct variants of;
    struct row_table table;
    char why[WHY];
    bool good;

    argp_err_exit_status = EXIT_FAILURE;
    argp_parse(&argp, argc, argv, ARGP_NO_HELP, NULL, NULL);
    const char *const files[] = { given.output, given.markdown, given.json };

    if (!can_be_written(files, 3, why)) {
        say_why("", why);
        return EXIT_FAILURE;
    }
    if (given.summary)
        return leave(examine());
    good = variants_read(&of, &given.words, why) || say_why("", why);
    if (good) {
        row_table_make(&table, of.variant, of.n, &given.words.how.may);
        good = table.rows > 0 ? write_report(&table, NULL)
                              : say_why("", "no row has a value");
        row_table_release(&table);
    }
    variants_release(&of);
    return leave(good ? EXIT_SUCCESS : EXIT_FAILURE);
}
