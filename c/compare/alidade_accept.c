/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alidade-accept - are results within their limits?  Learns limits from runs, and checks
 *                  runs against them.
 */
#ifdef HAVE_CONFIG_H
#    include "config.h"
#endif

#include <argp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "row_limits.h"

enum { EXIT_NOT_REACHED = 2 };

static struct {
    const char *file;
    bool learns;
    double least;
    struct subject subject;
} given = { .least = 0.05, .subject = { .name = "results" } };

static const struct argp_option options[] = {
    { "learn", 'l', NULL, 0, NULL, 0 },
    { "slack", 's', "PERCENT", 0, NULL, 0 },
    TOOL_OPTIONS,
    { NULL, 0, NULL, 0, NULL, 0 }
};

static const char help[] =
    "Usage: alidade-accept [OPTION...] FILE RESULTS...\n"
    "Check results against the limits in FILE, row by row.\n"
    "\n"
    "RESULTS are JSON result files (--json of a benchmark) or folders of them.\n"
    "FILE is JSON and can be edited: it has a limit for each row.\n"
    "\n"
    "Options:\n"
    "  -l, --learn               write FILE from the results; at least five\n"
    "                            runs of each program are required\n"
    "  -s, --slack=PERCENT       with --learn: least distance of a limit from\n"
    "                            the median [5]\n"
    "  -h, --help                print this help\n"
    "  -v, --version             print the version\n"
    "\n"
    "Examples:\n"
    "  alidade-accept --learn limits.json results/good\n"
    "  alidade-accept limits.json results/today\n"
    "\n"
    "Exit codes: 0 all rows pass, 1 not readable or not comparable, 2 a row\n"
    "missed its limit or was not measured.";

static int give_up(const char *why)
{
    fprintf(stderr, "accept: %s\n", why);
    return EXIT_FAILURE;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    char *end, why[WHY];

    switch (key) {
    case 'l':
        given.learns = true;
        return 0;
    case 's':
        given.least = strtod(text, &end) / 100;
        if (end == text || (*end != '\0' && strcmp(end, "%") != 0) ||
            !(given.least >= 0 && given.least < 10))
            argp_error(state, "--slack %s is not a percentage", text);
        return 0;
    case 'h':
        print_and_exit(help);
    case 'v':
        print_and_exit("alidade-accept (Alidade) " PACKAGE_VERSION);
    case ARGP_KEY_ARG:
        if (given.file == NULL)
            given.file = text;
        else if (!subject_add(&given.subject, text, why))
            exit(give_up(why));
        return 0;
    case ARGP_KEY_END:
        if (given.subject.n == 0)
            argp_error(state, "a limits file and results are needed");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* By how much a row is not reached, as two decimals of a time may not show it; else "". */
static const char *beyond(const struct limit *row, enum limit_is is,
                          double figure, char text[48])
{
    const double percent = 100 * fabs(figure / row->figure - 1);

    text[0] = '\0';
    if (is == LIMIT_FAIL)
        snprintf(text, 48, " (%.*f%% %s)", percent < 0.1 ? 4 : 1, percent,
                 row->at_least ? "below" : "above");
    return text;
}

/* Rows that are not reached, or were not measured. */
static size_t hold(const struct limits *l, const struct row_table *measured)
{
    static const char *const word[] = { "pass", "FAIL", "MISSING" };
    size_t bad = 0;

    printf("%-11s %-39s %-33s %21s %13s  %s\n", "# Program", "Placement", "Row",
           "limit", "measured", "");
    for (size_t i = 0; i < l->rows; i++) {
        const struct limit *row = &l->row[i];
        double figure;
        const enum limit_is is = limit_check(row, measured, &figure);
        char limit[64], more[48], seen[32] = "-";

        snprintf(limit, sizeof limit, "%s %.2f %s",
                 row->at_least ? ">=" : "<=", row->figure, row->id.unit);
        if (is != LIMIT_MISSING)
            snprintf(seen, sizeof seen, "%.2f", figure);
        printf("%-11s %-39s %-33s %21s %13s  %s%s\n", row->id.benchmark,
               row->id.place, row->id.key, limit, seen, word[is],
               beyond(row, is, figure, more));
        bad += is != LIMIT_PASS;
    }
    printf("# %zu of %zu rows are within their limits\n", l->rows - bad,
           l->rows);
    return bad;
}

int main(int argc, char **argv)
{
    static const struct argp argp = { options, parse, NULL, NULL,
                                      NULL,    NULL,  NULL };
    const struct may_differ none = { .n = 0 };
    struct limits limits;
    struct row_table measured;
    char why[WHY];
    int code = EXIT_SUCCESS;

    argp_err_exit_status = EXIT_FAILURE;
    argp_parse(&argp, argc, argv, ARGP_NO_HELP, NULL, NULL);
    if (!subject_is_of_one_mpi(&given.subject, why) ||
        !comparable_launches(&given.subject, &given.subject, &none, why)) {
        code = give_up(why);
    } else if (given.learns) {
        if (!limits_learn(given.file, &given.subject, given.least, why))
            code = give_up(why);
        else
            printf("# written: %s\n", given.file);
    } else if (!limits_read(&limits, given.file, why)) {
        code = give_up(why);
    } else {
        row_table_make(&measured, &given.subject, 1, &none);
        if (!comparable_launches(&limits.conditions, &given.subject, &none,
                                 why))
            code = give_up(why);
        else if (hold(&limits, &measured) > 0)
            code = EXIT_NOT_REACHED;
        row_table_release(&measured);
        limits_release(&limits);
    }
    subject_release(&given.subject);
    return code;
}
