/* SPDX-License-Identifier: BSD-3-Clause */
/* accept - are results within their limits?  Learns limits from runs, and checks runs
   against them. */
#include <stdlib.h>

#include "comparison/comparison_options.h"
#include "verbs.h"
#include "verdicts/acceptance.h"

enum { EXIT_NOT_REACHED = 2 };

/* --slack where it is not given. */
static const double LEAST_SLACK = 0.05;

static struct {
    bool learns;
    double least; /* --slack; negative: not given */
} given = { .least = -1 };

static const struct tool_option options[] = {
    { "learn", 'l', NULL,
      "write FILE from the results; at least five\n"
      "runs of each program are required",
      &given.learns, NULL },
    { "slack", 's', "PERCENT",
      "with --learn: least distance of a limit from\n"
      "the median [5]",
      &given.least, tool_option_percent },
    { .name = NULL }
};

static bool learn(const char *file, const struct variant *of, char why[WHY])
{
    struct far_limits far;
    char doubt[WHY];
    const size_t shared = variant_crowded(of);

    if (!limits_learn(file, of, given.least < 0 ? LEAST_SLACK : given.least,
                      &far, why))
        return false;
    printf("# written: %s\n", file);
    if (shared > 0)
        printf("# In %zu of %zu result files the ranks shared CPUs (W08): such "
               "limits mean nothing.\n",
               shared, of->n);
    if (doubtful_words(&far.doubtful, of->name, doubt)[0] != '\0')
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

/* The exit code; with code 1 why[] says why. */
static int check(const char *file, const struct variant *of, char why[WHY])
{
    struct may_differ edited = { .n = 0 };
    struct limits limits;
    int code = EXIT_FAILURE;
    char how[WHY];

    if (!limits_read(&limits, file, why))
        return EXIT_FAILURE;
    snprintf(how, sizeof how,
             "; to permit it, write \"any\" in measured_as of %.*s for ",
             utf8_within(file, 200), file);
    edited.how = how;
    if (comparable_runs(&limits.conditions, of, &edited, why))
        code = acceptance_print(&limits, file, of) > 0 ? EXIT_NOT_REACHED
                                                       : EXIT_SUCCESS;
    limits_release(&limits);
    return code;
}

static int run(const char *const *word, size_t n)
{
    const struct may_differ none = { .n = 0 };
    struct variants of = { .n = 0 };
    int code = EXIT_FAILURE;
    char why[WHY];

    if (n < 2)
        return tool_refuses("a limits file and results are needed");
    if (given.least >= 0 && !given.learns)
        return tool_refuses("--slack requires --learn");
    if ((!given.learns || can_be_written(word, 1, why)) &&
        variants_read_one(&of, word + 1, n - 1, "results", &none, why))
        code = !given.learns ? check(word[0], of.variant, why)
               : learn(word[0], of.variant, why) ? EXIT_SUCCESS
                                                 : EXIT_FAILURE;
    variants_release(&of);
    return code == EXIT_FAILURE ? tool_refuses(why) : code;
}

const struct tool_verb verb_accept = {
    "accept",
    "[OPTION...] FILE RESULTS...",
    "Check results against the limits in FILE, row by row.\n"
    "\n"
    "RESULTS are JSON result files (--json of a benchmark) or folders of them.\n"
    "FILE is JSON and can be edited: it has a limit for each row.",
    "Examples:\n"
    "  alidade-analysis accept --learn limits.json results/good\n"
    "  alidade-analysis accept limits.json results/today\n"
    "\n"
    "Exit codes: 0 all rows pass, 1 not readable or not comparable, 2 a row\n"
    "missed its limit, was not measured, or has too few runs on some host.",
    options,
    run
};
