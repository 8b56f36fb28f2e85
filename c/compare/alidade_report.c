/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alidade-report - results as one HTML page that needs nothing else: environments side
 *                  by side, curves, tables, and who is faster.
 */
#ifdef HAVE_CONFIG_H
#    include "config.h"
#endif

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fresh_file.h"
#include "base/gnuplot.h"
#include "comparison_options.h"
#include "comparison_print.h"
#include "curve.h"
#include "markup.h"
#include "report_page.h"

const char *argp_program_version = "alidade-report (Alidade) " PACKAGE_VERSION;

static struct {
    struct comparison_words words;
    const char *output, *title, *graphs, *markdown;
    struct subject again[COMPARISON_SUBJECTS]; /* launches made again */
    int agains;
} given = { .words = { .margin = 0.03, .least = 1 },
            .output = "report.html",
            .title = "MPI benchmarks" };

enum { GRAPHS = 256, MARKDOWN };

static const struct argp_option options[] = {
    { "output", 'o', "FILE", 0, "the page (default: report.html)", 0 },
    { "title", 't', "TEXT", 0, "of the page", 0 },
    { "graphs", GRAPHS, "FORM", 0,
      "write curves as files beside the page too: png, pdf or svg", 0 },
    { "markdown", MARKDOWN, "FILE", 0, "write the comparisons as Markdown too",
      0 },
    { NULL, 0, NULL, 0, NULL, 0 }
};

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
    case GRAPHS:
        if (strcmp(text, "png") != 0 && strcmp(text, "pdf") != 0 &&
            strcmp(text, "svg") != 0)
            argp_error(state, "--graphs %s: png, pdf or svg", text);
        given.graphs = text;
        return 0;
    case MARKDOWN:
        given.markdown = text;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static bool refuse(const char *path, const char *why)
{
    fprintf(stderr, "report: %s%s%s\n", path, path[0] ? ": " : "", why);
    return false;
}

/* Each subject but the first against it; those that cannot be have no rows. */
static void compare_all(FILE *to, const struct survey *s,
                        struct comparison *with)
{
    struct comparison_options how = comparison_options_of(&given.words);
    char why[800];

    how.again = given.again;
    how.agains = given.agains;

    if (s->subjects > 1) {
        fputs("<p>Against <strong>", to);
        markup_text(to, s->subject[0].name);
        fprintf(
            to,
            "</strong>, by whole launches, with a margin of %g&nbsp;%%:</p>\n",
            100 * how.margin);
    }
    for (int k = 1; k < s->subjects; k++) {
        why[0] = '\0';
        if (!comparison_make(&with[k - 1], &s->subject[0], &s->subject[k], &how,
                             why, sizeof why))
            with[k - 1] = (struct comparison){ .rows = 0 };
        report_page_sum(to, &with[k - 1], s->subject[k].name, why);
    }
}

/* "report.html" and "latency": "report-latency-3.png" */
static bool graph_file(const struct survey *s, size_t first, size_t end)
{
    const char *dot = strrchr(given.output, '.');
    const int stem =
        dot != NULL ? (int)(dot - given.output) : (int)strlen(given.output);
    char path[4096], why[400];

    if (given.graphs == NULL)
        return true;
    snprintf(path, sizeof path, "%.*s-%s-%zu.%s", stem, given.output,
             s->row[first].benchmark, first, given.graphs);
    return curve_file(path, s, first, end, why, sizeof why) || refuse("", why);
}

static bool section(FILE *to, const struct survey *s, size_t first, size_t end,
                    const struct comparison *with, bool draws)
{
    char why[400];
    bool good = true;

    fputs("<section>\n<h2>", to);
    markup_text(to, s->row[first].benchmark);
    fputs(" <small>(", to);
    markup_text(to, s->row[first].place);
    fputs(")</small></h2>\n", to);
    if (draws) {
        fprintf(to, "<figure role=\"img\" aria-label=\"%s over size\">\n",
                s->row[first].benchmark);
        good = curve_svg(to, s, first, end, why, sizeof why) || refuse("", why);
        fputs("</figure>\n", to);
        good = good && graph_file(s, first, end);
    }
    report_page_table(to, s, first, end, with);
    fputs("</section>\n", to);
    return good;
}

static bool write_page(FILE *to, const struct survey *s,
                       struct comparison *with)
{
    const bool draws = gnuplot_is_there();
    char why[400];
    bool good = true;
    size_t end;

    markup_begin(to, given.title);
    compare_all(to, s, with);
    fputs("<p class=\"note\">What the words are stands at the end.</p>\n", to);
    if (!draws)
        fputs(
            "<p class=\"note\">There are no curves: gnuplot is not in PATH.</p>\n",
            to);
    for (size_t i = 0; i < s->rows; i = survey_next_benchmark(s, i))
        report_page_places(to, s, i, survey_next_benchmark(s, i));
    for (size_t i = 0; i < s->rows && good; i = end) {
        end = survey_next(s, i);
        good = section(to, s, i, end, with, draws);
    }
    if (good && !report_page_timeline(to, s, draws, why, sizeof why))
        good = refuse("", why);
    fputs("<h2>What was measured</h2>\n", to);
    report_page_subjects(to, s);
    report_page_reading(to);
    markup_end(to);
    return good;
}

static bool write_markdown(const struct survey *s,
                           const struct comparison *with)
{
    struct fresh_file file;

    if (given.markdown == NULL)
        return true;
    if (!fresh_file_begin(&file, given.markdown))
        return refuse(given.markdown, strerror(errno));
    for (int k = 1; k < s->subjects; k++)
        if (with[k - 1].row != NULL)
            comparison_markdown(file.to, &with[k - 1]);
    return fresh_file_end(&file, true) ||
           refuse(given.markdown, strerror(errno));
}

static bool write_report(const struct survey *s)
{
    struct comparison with[COMPARISON_SUBJECTS] = { 0 };
    struct fresh_file file;
    bool good;

    if (!fresh_file_begin(&file, given.output))
        return refuse(given.output, strerror(errno));
    good = write_page(file.to, s, with);
    if (!fresh_file_end(&file, good) && good)
        good = refuse(given.output, strerror(errno));
    if (good)
        printf("# page: %s\n", given.output);
    good = good && write_markdown(s, with);
    for (int k = 1; k < s->subjects; k++)
        comparison_release(&with[k - 1]);
    return good;
}

int main(int argc, char **argv)
{
    static const struct argp_child children[] = {
        { &comparison_argp, 0, NULL, 0 }, { NULL, 0, NULL, 0 }
    };
    static const struct argp argp = {
        options,
        parse,
        "[NAME=]RESULTS...",
        "Write results as one HTML page: RESULTS is a file of --json or a folder of "
        "them. The second and further ones are compared with the first.",
        children,
        NULL,
        NULL
    };
    struct subject subject[COMPARISON_SUBJECTS];
    struct survey survey;
    char why[800];
    bool good;
    int n = 0;

    argp_err_exit_status = EXIT_FAILURE;
    argp_parse(&argp, argc, argv, 0, NULL, NULL);
    good = (comparison_read_again(given.again, &given.agains, &given.words, why,
                                  sizeof why) &&
            comparison_read_subjects(subject, &n, &given.words, why,
                                     sizeof why)) ||
           refuse("", why);
    if (good) {
        good = survey_make(&survey, subject, n,
                           &(struct allowance){ given.words.allow,
                                                given.words.allowed }) ||
               refuse("", "memory is short");
        if (good && survey.rows == 0)
            good = refuse("", "there is no row with a figure");
        good = good && write_report(&survey);
        survey_release(&survey);
    }
    for (int i = 0; i < n; i++)
        subject_release(&subject[i]);
    for (int i = 0; i < given.agains; i++)
        subject_release(&given.again[i]);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
