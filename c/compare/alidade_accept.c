/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alidade-accept - does a cluster reach what is expected of it?  Learns expectations
 *                  from launches, and holds launches against them.
 */
#ifdef HAVE_CONFIG_H
#    include "config.h"
#endif

#include <argp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "expectation.h"

enum { EXIT_NOT_REACHED = 2 };

const char *argp_program_version = "alidade-accept (Alidade) " PACKAGE_VERSION;

static struct {
    const char *file;
    bool learns;
    double least;
    struct subject subject;
} given = { .least = 0.05, .subject = { .name = "results" } };

static const struct argp_option options[] = {
    { "learn", 'l', NULL, 0, "write FILE from the results", 0 },
    { "slack", 's', "PERCENT", 0,
      "learn: never expect the figures more closely than this (default: 5)",
      0 },
    { NULL, 0, NULL, 0, NULL, 0 }
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    char *end, why[800];

    switch (key) {
    case 'l':
        given.learns = true;
        return 0;
    case 's':
        given.least = strtod(text, &end) / 100;
        if (end == text || (*end != '\0' && strcmp(end, "%") != 0) ||
            !(given.least >= 0 && given.least < 10))
            argp_error(state, "--slack %s is no percentage", text);
        return 0;
    case ARGP_KEY_ARG:
        if (given.file == NULL) {
            given.file = text;
        } else if (!subject_add(&given.subject, text, why, sizeof why)) {
            fprintf(stderr, "accept: %s\n", why);
            exit(EXIT_FAILURE);
        }
        return 0;
    case ARGP_KEY_END:
        if (given.subject.n == 0)
            argp_error(state, "a file of expectations and results are needed");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* By how much a row is not reached, as two decimals of a time may not show it; else "". */
static const char *beyond(const struct expectation *row, enum expected is,
                          double figure, char text[48])
{
    const double percent = 100 * fabs(figure / row->limit - 1);

    text[0] = '\0';
    if (is == EXPECTED_FAIL)
        snprintf(text, 48, " (%.*f %% %s)", percent < 0.1 ? 4 : 1, percent,
                 row->at_least ? "below" : "above");
    return text;
}

/* Rows that are not reached, or were not measured. */
static size_t hold(const struct expectations *e, const struct survey *measured)
{
    static const char *const word[] = { "pass", "FAIL", "MISSING" };
    size_t bad = 0;

    printf("%-11s %-39s %-33s %21s %13s  %s\n", "# Program", "Place", "Row",
           "expected", "measured", "");
    for (size_t i = 0; i < e->rows; i++) {
        const struct expectation *row = &e->row[i];
        double figure;
        const enum expected is = expectation_check(row, measured, &figure);
        char limit[64], more[48];

        snprintf(limit, sizeof limit, "%s %.2f %s",
                 row->at_least ? ">=" : "<=", row->limit, row->unit);
        printf("%-11s %-39s %-33s %21s %13.2f  %s%s\n", row->benchmark,
               row->place, row->key, limit, figure, word[is],
               beyond(row, is, figure, more));
        bad += is != EXPECTED_PASS;
    }
    printf("# %zu of %zu rows reach what is expected\n", e->rows - bad,
           e->rows);
    return bad;
}

static int refuse(const char *why)
{
    fprintf(stderr, "accept: %s\n", why);
    return EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse,
        "FILE RESULTS...",
        "Hold RESULTS, files of --json or folders of them, against the expectations "
        "in FILE; --learn writes FILE, from at least five launches of each program."
        "\vEnds with 2 if a row is not reached or was not measured, with 1 if "
        "something cannot be read.",
        NULL,
        NULL,
        NULL
    };
    const struct allowance none = { NULL, 0 };
    struct expectations e;
    struct survey measured;
    char why[800];
    int code = EXIT_SUCCESS;

    argp_err_exit_status = EXIT_FAILURE;
    argp_parse(&argp, argc, argv, 0, NULL, NULL);
    if (!subject_is_of_one_mpi(&given.subject, why, sizeof why) ||
        !comparison_alike(&given.subject, &given.subject, &none, why,
                          sizeof why)) {
        code = refuse(why);
    } else if (given.learns) {
        if (!expectations_learn(given.file, &given.subject, given.least, why,
                                sizeof why))
            code = refuse(why);
        else
            printf("# written: %s\n", given.file);
    } else if (!expectations_read(&e, given.file, why, sizeof why)) {
        code = refuse(why);
    } else {
        measured = (struct survey){ .rows = 0 };
        if (!comparison_alike(&e.as, &given.subject, &none, why, sizeof why))
            code = refuse(why);
        else if (!survey_make(&measured, &given.subject, 1, &none))
            code = refuse("memory is short");
        else if (hold(&e, &measured) > 0)
            code = EXIT_NOT_REACHED;
        survey_release(&measured);
        expectations_release(&e);
    }
    subject_release(&given.subject);
    return code;
}
