/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * compare - is one subject faster than another, by how much, how surely: the analysis
 *           of results that are there.  scripts/compare makes them.
 */
#ifdef HAVE_CONFIG_H
#    include "config.h"
#endif

#include <stdlib.h>
#include <string.h>

#include "comparison_options.h"
#include "comparison_print.h"

enum { EXIT_SLOWER = 2 };

const char *argp_program_version = "alidade-compare (Alidade) " PACKAGE_VERSION;

static struct {
    struct comparison_words words;
    bool gate;
    const char *markdown, *junit, *json, *list;
} given = { .words = { .margin = 0.03, .least = 2 } };

enum { GATE = 256, MARKDOWN, JUNIT, JSON, LIST };

static const struct argp_option options[] = {
    { "gate", GATE, NULL, 0, "end with 2 if any row is slower", 0 },
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
        given.markdown = text;
        return 0;
    case JUNIT:
        given.junit = text;
        return 0;
    case JSON:
        given.json = text;
        return 0;
    case LIST:
        given.list = text;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int refuse(const char *why)
{
    fprintf(stderr, "compare: %s\n", why);
    return EXIT_FAILURE;
}

/* The comparison into a file that a print function fills; added to what is there when
   it is not the first. */
static bool write_to(const char *path, bool first, const struct comparison *c,
                     void (*print)(FILE *to, const struct comparison *c))
{
    FILE *to = path == NULL ? NULL : fopen(path, first ? "w" : "a");

    if (path == NULL)
        return true;
    if (to == NULL)
        return false;
    print(to, c);
    return !ferror(to) & (fclose(to) == 0);
}

static void json_of(FILE *to, const struct comparison *c)
{
    comparison_json(to, c);
}

/* Verdict, subject, benchmark and row, for scripts. */
static void list_rows(const struct comparison *c)
{
    for (size_t i = 0; i < c->rows; i++)
        if (strcmp(judged_word(c->row[i].is.verdict), given.list) == 0)
            printf("%s %s %s %s\n", given.list, c->subject[1]->name,
                   c->row[i].benchmark, c->row[i].key);
}

static bool write_all(const struct comparison *c, bool first)
{
    if (given.list != NULL) {
        list_rows(c);
        return true;
    }
    comparison_text(stdout, c);
    return write_to(given.markdown, first, c, comparison_markdown) &&
           write_to(given.junit, first, c, comparison_junit) &&
           write_to(given.json, first, c, json_of);
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
        "something cannot be read or compared, with --gate with 2 if any row is slower.",
        children,
        NULL,
        NULL
    };
    struct comparison_options how;
    struct subject subject[COMPARISON_SUBJECTS];
    char why[800];
    size_t slower = 0;
    int code = EXIT_SUCCESS, n;

    argp_err_exit_status = EXIT_FAILURE;
    argp_parse(&argp, argc, argv, 0, NULL, NULL);
    how = comparison_options_of(&given.words);
    if (!comparison_read_subjects(subject, &n, &given.words, why, sizeof why))
        code = refuse(why);
    for (int i = 1; i < n && code == EXIT_SUCCESS; i++) {
        struct comparison c;

        if (!comparison_make(&c, &subject[0], &subject[i], &how, why,
                             sizeof why)) {
            code = refuse(why);
            break;
        }
        if (i > 1 && given.list == NULL)
            putchar('\n');
        if (!write_all(&c, i == 1))
            code = refuse("a result could not be written");
        slower += comparison_sum_of(&c).of[JUDGED_SLOWER];
        comparison_release(&c);
    }
    for (int i = 0; i < n; i++)
        subject_release(&subject[i]);
    return code == EXIT_SUCCESS && given.gate && slower > 0 ? EXIT_SLOWER
                                                            : code;
}
