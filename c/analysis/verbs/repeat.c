/* SPDX-License-Identifier: BSD-3-Clause */
/* repeat - what several runs of one program show, and what the next one will. */
#include <stdlib.h>
#include <string.h>

#include "comparison/comparison_options.h"
#include "repetition/repetition.h"
#include "verbs.h"

static struct {
    struct may_differ may;
    struct repetition_made made;
    const char *json;
    bool widest;
} given = { .may = { .how = PERMIT_WITH_ALLOW } };

static const struct tool_option options[] = {
    ALLOW_OPTION(given.may, "JSON field that may differ between the runs,\n"
                            "such as environment.path; repeatable"),
    { "json", 0, "FILE", "also write rows, groups and all runs as JSON",
      &given.json, NULL },
    { "widest", 0, NULL,
      "print only the widest interval, in % of the\n"
      "median, >100 beyond, or - if a row has none",
      &given.widest, NULL },
    { "precision", 0, "PERCENT", "the interval that was wanted, for the record",
      &given.made.precision, tool_option_percent },
    { "stop", 0, "WORD", "why there are no more runs, for the record",
      &given.made.stop, NULL },
    { "failed", 0, "\"RUN: WHY\"",
      "a run that failed, for the record; repeatable", &given.made.failed,
      tool_option_each },
    { .name = NULL }
};

/* Is run i one of the same command as the first, measured under the same conditions? */
static bool is_like_first(const struct variant *s, size_t i, char why[WHY])
{
    const struct result_file *first = &s->file[0], *f = &s->file[i];
    const struct variant a = { .file = s->file, .n = 1 };
    const struct variant b = { .file = s->file + i, .n = 1 };

    if (strcmp(f->benchmark, first->benchmark) != 0)
        return refuse(why,
                      "%s is a run of %s, %s one of %s: repeat takes runs "
                      "of one program",
                      first->path, first->benchmark, f->path, f->benchmark);
    return comparable_variants(&a, &b, &given.may, why);
}

static bool belong_together(const struct variant *s, char why[WHY])
{
    for (size_t i = 1; i < s->n; i++)
        if (!is_like_first(s, i, why))
            return false;
    return true;
}

static bool answer(struct variant *of, char why[WHY])
{
    struct document d = { .n = 0 };
    struct repetition r;
    char text[24];
    bool good;

    repetition_make(&r, of, &given.may);
    r.made = given.made;
    repetition_add(&d, &r);
    good = r.rows > 0 || refuse(why, "no row has a value");
    if (good && given.widest) {
        const char *widest = repetition_widest(&r, 2, text);

        puts(widest != NULL ? widest : "-");
    } else {
        good = good && tool_answer(&d, "# ", &d, why);
    }
    good = good && write_file(given.json, repetition_json, &r, why);
    document_release(&d);
    repetition_release(&r);
    return good;
}

static int run(const char *const *word, size_t n)
{
    struct variants of = { .n = 0 };
    char why[WHY];
    const bool good =
        variants_read_one(&of, NULL, word, n, "results", &given.may, why) &&
        belong_together(of.variant, why) && answer(of.variant, why);

    variants_release(&of);
    return good ? EXIT_SUCCESS : tool_refuses(why);
}

const struct tool_verb verb_repeat = {
    "repeat",
    "[OPTION...] RESULTS...",
    "Print runs of one program as one table: the median over runs, and the\n"
    "interval that the next run will be in, with 95% probability.\n"
    "\n"
    "RESULTS are JSON result files of one command (--json of a benchmark, or of\n"
    "scripts/repeat), or folders of them. The table has the form of the first\n"
    "run: for run-1.json that of run-1.txt, if that exists. scripts/repeat makes\n"
    "the runs and calls this tool. An interval requires five runs.",
    "Example:\n"
    "  alidade-analysis repeat --json repeat.json results/latency-*.json\n"
    "\n"
    "Exit codes: 0 success, 1 not readable, not runs of one command, or not\n"
    "written.",
    options,
    run
};
