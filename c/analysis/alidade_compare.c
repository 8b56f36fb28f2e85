/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * compare - is one variant faster than another, by how much, how surely: the analysis
 *           of results that are there.  scripts/compare makes them.
 */
#ifdef HAVE_CONFIG_H
#    include "config.h"
#endif

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fresh_file.h"
#include "comparison/comparison_classes.h"
#include "comparison/comparison_export.h"
#include "comparison/comparison_options.h"
#include "comparison/comparison_print.h"

enum { EXIT_SLOWER = 2 };

enum {
    GATE = 256,
    LIST,
    ROWS,
    MARKDOWN,
    JUNIT,
    JSON,
    FILES = JSON - MARKDOWN + 1
};

static struct {
    struct comparison_words words;
    bool gate, rows;
    const char *file[FILES], *list;
} given = { .words = { .how = { .margin = 0.03,
                                .sizes = SIZE_LIMITS_DEFAULT,
                                .may = { .how = PERMIT_WITH_ALLOW } },
                       .least = 2 } };

static const struct argp_option options[] = {
    { "rows", ROWS, NULL, 0, NULL, 0 },
    { "gate", GATE, NULL, 0, NULL, 0 },
    { "markdown", MARKDOWN, "FILE", 0, NULL, 0 },
    { "junit", JUNIT, "FILE", 0, NULL, 0 },
    { "json", JSON, "FILE", 0, NULL, 0 },
    { "list", LIST, "VERDICT", 0, NULL, 0 },
    TOOL_OPTIONS,
    { NULL, 0, NULL, 0, NULL, 0 }
};

static const char help[] =
    "Usage: alidade-compare [OPTION...] [NAME=]RESULTS [NAME=]RESULTS...\n"
    "Compare the results of two or more variants; the first is the baseline.\n"
    "\n"
    "RESULTS is a JSON result file (--json of a benchmark) or a folder of them.\n"
    "A verdict requires at least four runs of each variant. scripts/compare\n"
    "makes the runs and calls this tool.\n"
    "\n"
    "Options:\n" COMPARISON_HELP
    "      --rows                also print a table of all rows\n"
    "      --asked=PROGRAM       a benchmark that must have rows; repeatable\n"
    "      --failed=\"NAME: WHY\"  a variant that was left out; repeatable\n"
    "      --gate                exit with code 2 if a class is slower, and\n"
    "                            with code 1 if something was not judged\n"
    "      --list=VERDICT        print only the classes with this verdict:\n"
    "                            faster, slower, same, undecided\n"
    "      --markdown=FILE       also write the tables as Markdown\n"
    "      --junit=FILE          also write a JUnit XML case for each class\n"
    "      --json=FILE           also write classes and rows as JSON\n" TOOL_HELP
    "\n"
    "Example:\n"
    "  alidade-compare --margin=5 old=results/old new=results/new\n"
    "\n"
    "Exit codes: 0 success, 1 not readable or not comparable, 2 slower (--gate).";

static error_t parse(int key, char *text, struct argp_state *state)
{
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &given.words;
        return 0;
    case ROWS:
        given.rows = true;
        return 0;
    case GATE:
        given.gate = true;
        return 0;
    case MARKDOWN:
    case JUNIT:
    case JSON:
        given.file[key - MARKDOWN] = text;
        return 0;
    case LIST:
        given.list = text;
        return 0;
    case 'h':
        print_and_exit(help);
    case 'v':
        print_and_exit("alidade-compare (Alidade) " PACKAGE_VERSION);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

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

static void print_all(const struct comparison *c, int n)
{
    for (int i = 0; i < n; i++)
        if (given.list != NULL) {
            list_classes(&c[i]);
        } else {
            fputs(i > 0 ? "\n" : "", stdout);
            comparison_text(stdout, &c[i], given.rows);
        }
}

static bool write_files(const struct comparison *c, int n)
{
    static bool (*const write[FILES])(
        FILE *, const struct comparison *,
        int) = { comparison_markdown, comparison_junit, comparison_json };
    struct fresh_file file;

    for (int i = 0; i < FILES; i++)
        if (given.file[i] != NULL &&
            (!fresh_file_begin(&file, given.file[i]) ||
             !fresh_file_end(&file, write[i](file.to, c, n)))) {
            fprintf(stderr, "compare: '%s' could not be written: %s\n",
                    given.file[i], strerror(errno));
            return false;
        }
    return true;
}

int main(int argc, char **argv)
{
    static const struct argp_child children[] = {
        { &comparison_argp, 0, NULL, 0 }, { NULL, 0, NULL, 0 }
    };
    static const struct argp argp = { options,  parse, NULL, NULL,
                                      children, NULL,  NULL };
    struct comparison with[VARIANTS];
    struct variants of;
    char why[WHY];
    size_t slower = 0, faults = 0;
    int compared = 0;
    bool good;

    argp_err_exit_status = EXIT_FAILURE;
    argp_parse(&argp, argc, argv, ARGP_NO_HELP, NULL, NULL);
    of.n = 0;
    good = can_be_written(given.file, FILES, why) &&
           variants_read(&of, &given.words, why);
    for (int i = 1; i < of.n && good; i++) {
        good = comparison_make(&with[compared], &of.variant[0], &of.variant[i],
                               &given.words.how, why);
        compared += good;
    }
    if (good) {
        print_all(with, compared);
        good = write_files(with, compared);
    } else {
        fprintf(stderr, "compare: %s\n", why);
    }
    for (int i = 0; i < compared; i++) {
        slower += comparison_sum_of(&with[i]).of[VERDICT_SLOWER];
        if (good && given.gate)
            faults += comparison_faults(stderr, &with[i], "compare: ");
        comparison_release(&with[i]);
    }
    variants_release(&of);
    return leave(!good                      ? EXIT_FAILURE
                 : given.gate && slower > 0 ? EXIT_SLOWER
                 : faults > 0               ? EXIT_FAILURE
                                            : EXIT_SUCCESS);
}
