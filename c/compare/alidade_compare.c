/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * compare - is one subject faster than another, by how much, how surely: the analysis
 *           of results that are there.  scripts/compare makes them.
 */
#ifdef HAVE_CONFIG_H
#    include "config.h"
#endif

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fresh_file.h"
#include "comparison_export.h"
#include "comparison_options.h"
#include "comparison_print.h"

enum { EXIT_SLOWER = 2 };

const char *argp_program_version = "alidade-compare (Alidade) " PACKAGE_VERSION;

enum { GATE = 256, LIST, MARKDOWN, JUNIT, JSON, FILES = JSON - MARKDOWN + 1 };

static struct {
    struct comparison_words words;
    bool gate;
    const char *file[FILES], *list;
} given = { .words = { .how.margin = 0.03, .least = 2 } };

static const struct argp_option options[] = {
    { "gate", GATE, NULL, 0,
      "end with 2 if any row is slower, with 1 if the first has rows that another lacks or "
      "data were wrong",
      0 },
    { "markdown", MARKDOWN, "FILE", 0, "write the tables as Markdown too", 0 },
    { "junit", JUNIT, "FILE", 0, "write a case for each row as JUnit's XML",
      0 },
    { "json", JSON, "FILE", 0, "write rows and verdicts as JSON", 0 },
    { "list", LIST, "VERDICT", 0,
      "print nothing but the rows of that verdict: faster, slower, same, undecided",
      0 },
    { NULL, 0, NULL, 0, NULL, 0 }
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &given.words;
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
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Verdict, subject, benchmark and row, for scripts. */
static void list_rows(const struct comparison *c)
{
    for (size_t i = 0; i < c->rows; i++)
        if (strcmp(verdict_word(c->row[i].verdict.is), given.list) == 0)
            printf("%s %s %s %s\n", given.list, c->subject[1]->name,
                   c->row[i].id.benchmark, c->row[i].id.key);
}

static void print_all(const struct comparison *c, int n)
{
    for (int i = 0; i < n; i++)
        if (given.list != NULL) {
            list_rows(&c[i]);
        } else {
            fputs(i > 0 ? "\n" : "", stdout);
            comparison_text(stdout, &c[i]);
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
    static const struct argp argp = {
        options,
        parse,
        "[NAME=]RESULTS [NAME=]RESULTS...",
        "Compare launches of benchmarks: RESULTS is a file of --json or a folder of "
        "them, at least five launches a side for a verdict."
        "\vTimes are compared, medians over laps, one for each launch.  Ends with 1 if "
        "something cannot be read or compared.",
        children,
        NULL,
        NULL
    };
    struct comparison with[SUBJECTS];
    struct subjects of, again;
    char why[WHY];
    size_t slower = 0, faults = 0;
    int compared = 0;
    bool good;

    argp_err_exit_status = EXIT_FAILURE;
    argp_parse(&argp, argc, argv, 0, NULL, NULL);
    good = subjects_read(&of, &again, &given.words, why);
    for (int i = 1; i < of.n && good; i++) {
        good = comparison_make(&with[compared], &of.subject[0], &of.subject[i],
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
    subjects_release(&of);
    subjects_release(&again);
    return !good                      ? EXIT_FAILURE
           : given.gate && slower > 0 ? EXIT_SLOWER
           : faults > 0               ? EXIT_FAILURE
                                      : EXIT_SUCCESS;
}
