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

#include "verdicts/acceptance.h"

enum { EXIT_NOT_REACHED = 2 };

/* --slack where it is not given. */
static const double LEAST_SLACK = 0.05;

static struct {
    const char *file;
    bool learns;
    double least; /* --slack; negative: not given */
    struct variant variant;
} given = { .least = -1, .variant = { .name = "results" } };

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
    "missed its limit, was not measured, or has too few runs on some host.";

static int give_up(const char *why)
{
    fprintf(stderr, "accept: %s\n", why);
    return EXIT_FAILURE;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    char why[WHY];

    switch (key) {
    case 'l':
        given.learns = true;
        return 0;
    case 's':
        given.least = percentage(text);
        if (isnan(given.least))
            argp_failure(state, EXIT_FAILURE, 0,
                         "--slack %s is not a percentage", text);
        return 0;
    case 'h':
        print_and_exit(help);
    case 'v':
        print_and_exit("alidade-accept (Alidade) " PACKAGE_VERSION);
    case ARGP_KEY_ARG:
        if (given.file == NULL)
            given.file = text;
        else if (!variant_add(&given.variant, text, why))
            exit(give_up(why));
        return 0;
    case ARGP_KEY_END:
        if (given.variant.n == 0)
            argp_failure(state, EXIT_FAILURE, 0,
                         "a limits file and results are needed");
        if (given.least >= 0 && !given.learns)
            argp_failure(state, EXIT_FAILURE, 0, "--slack requires --learn");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static bool learn(char why[WHY])
{
    struct far_limits far;
    char doubt[WHY];
    const size_t shared = variant_crowded(&given.variant);

    if (!limits_learn(given.file, &given.variant,
                      given.least < 0 ? LEAST_SLACK : given.least, &far, why))
        return false;
    printf("# written: %s\n", given.file);
    if (shared > 0)
        printf("# In %zu of %zu result files the ranks shared CPUs (W08): such "
               "limits mean nothing.\n",
               shared, given.variant.n);
    if (doubtful_words(&far.doubtful, given.variant.name, doubt)[0] != '\0')
        printf("# %s\n# Measure again before you use their limits.\n", doubt);
    if (far.n > 0)
        printf("# %zu of %zu limits are wide, because the runs of these rows "
               "differ.\n"
               "# The widest differs from the median by a factor of %.1f: "
               "%s, %s.\n"
               "# Measure again on a quiet machine, or set such limits by "
               "hand.\n",
               far.n, far.rows, far.factor, far.furthest.benchmark,
               far.furthest.key);
    if (far.split > 0)
        printf("# In %zu of %zu rows some of these runs lie beyond their own "
               "limit: the runs fall into groups.\n"
               "# Most do in %s, %s: %zu of %zu.\n"
               "# A good node may miss such limits: set them by hand.\n",
               far.split, far.rows, far.most_split.benchmark,
               far.most_split.key, far.beyond, far.runs);
    if (far.unlearned > 0)
        printf("# %zu row%s got no limit, since no run of them counts: the "
               "first is %s, %s.\n",
               far.unlearned, far.unlearned == 1 ? "" : "s",
               far.first_unlearned.benchmark, far.first_unlearned.key);
    return true;
}

int main(int argc, char **argv)
{
    static const struct argp argp = { options, parse, NULL, NULL,
                                      NULL,    NULL,  NULL };
    const struct may_differ none = { .n = 0 };
    struct may_differ edited = { .n = 0 };
    struct limits limits;
    char why[WHY], how[WHY];
    int code = EXIT_SUCCESS;

    argp_err_exit_status = EXIT_FAILURE;
    argp_parse(&argp, argc, argv, ARGP_NO_HELP, NULL, NULL);
    if ((given.learns && !can_be_written(&given.file, 1, why)) ||
        !variant_is_of_one_mpi(&given.variant, why) ||
        !comparable_runs(&given.variant, &given.variant, &none, why)) {
        code = give_up(why);
    } else if (given.learns) {
        if (!learn(why))
            code = give_up(why);
    } else if (!limits_read(&limits, given.file, why)) {
        code = give_up(why);
    } else {
        snprintf(how, sizeof how,
                 "; to permit it, write \"any\" in measured_as of %.*s for ",
                 utf8_within(given.file, 200), given.file);
        edited.how = how;
        if (!comparable_runs(&limits.conditions, &given.variant, &edited, why))
            code = give_up(why);
        else if (acceptance_print(&limits, given.file, &given.variant) > 0)
            code = EXIT_NOT_REACHED;
        limits_release(&limits);
    }
    variant_release(&given.variant);
    return leave(code);
}
