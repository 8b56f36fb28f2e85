/* SPDX-License-Identifier: BSD-3-Clause */
/* accept - are results within their limits?  Learns limits from runs, and checks runs
   against them. */
#include <stdlib.h>

#include "comparison/comparison_options.h"
#include "verbs.h"
#include "verdicts/limits.h"

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

/* The exit code; with code 1 why[] says why. */
static int check(struct document *d, const char *file, const struct variant *of,
                 char why[WHY])
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
        code = limits_check(d, &limits, of) + of->unread->n > 0
                   ? EXIT_NOT_REACHED
                   : EXIT_SUCCESS;
    for (size_t i = 0; i < of->unread->n; i++)
        document_add(d, DOCUMENT_NOTE, "not judged: %s", of->unread->why[i]);
    limits_release(&limits);
    return code;
}

static int run(const char *const *word, size_t n)
{
    const struct may_differ none = { .n = 0 };
    struct variants of = { .n = 0 };
    struct unread unread = { .n = 0 };
    struct document d = { .n = 0 };
    int code = EXIT_FAILURE;
    char why[WHY];

    if (n < 2)
        return tool_refuses("a limits file and results are needed");
    if (given.least >= 0 && !given.learns)
        return tool_refuses("--slack requires --learn");
    if ((!given.learns || can_be_written(word, 1, why)) &&
        variants_read_one(&of, given.learns ? NULL : &unread, word + 1, n - 1,
                          "results", &none, why)) {
        if (!given.learns)
            code = check(&d, word[0], of.variant, why);
        else if (limits_learn(&d, word[0], of.variant,
                              given.least < 0 ? LEAST_SLACK : given.least, why))
            code = EXIT_SUCCESS;
    }
    if (code != EXIT_FAILURE && !tool_answer(&d, "# ", &d, why))
        code = EXIT_FAILURE;
    document_release(&d);
    variants_release(&of);
    free(unread.why);
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
    "Exit codes: 0 all rows pass, 1 nothing is readable, or not comparable, 2 a\n"
    "row missed its limit or was not measured, or runs are missing or not\n"
    "readable.",
    options,
    run
};
