/* SPDX-License-Identifier: BSD-3-Clause */
/* examine - which hosts are odd?  In words, and as a page of all that was measured. */
#include <stdlib.h>

#include "examination/summary.h"
#include "pages/report_page.h"
#include "verbs.h"

enum { EXIT_ODD = 2, EXIT_TOO_FEW = 3 };

static struct {
    const char *output, *title, *left_out, *again, *note, *json;
} given = { .output = "report.html" };

static const struct tool_option options[] = {
    { "output", 'o', "FILE", "the page [report.html]", &given.output, NULL },
    { "title", 't', "TEXT", "title of the page", &given.title, NULL },
    { "left-out", 0, "LIST", "file of parts that have no results",
      &given.left_out, NULL },
    { "command", 0, "TEXT", "command that examines {hosts} again", &given.again,
      NULL },
    { "note", 0, "TEXT", "sentence below the answer", &given.note, NULL },
    { "json", 0, "FILE", "also write what is odd as JSON", &given.json, NULL },
    { .name = NULL }
};

static bool answer(const struct summary *s, const struct row_table *t,
                   char why[WHY])
{
    struct document d = { .n = 0 }, rules = { .n = 0 };
    const struct report r = {
        .title = given.title, .table = t, .answer = &d, .rules = &rules
    };
    bool good;

    summary_add(&d, s);
    summary_rules(&rules);
    good = write_file(given.json, summary_json, s, why) &&
           tool_answer(&d, "", &d, why) &&
           write_file(given.output, report_page, &r, why);
    if (good)
        printf("# page: %s\n", given.output);
    document_release(&d);
    document_release(&rules);
    return good;
}

/* The exit code of an answer. */
static int code_of(const struct findings *f)
{
    return findings_odd(f) > 0              ? EXIT_ODD
           : !findings_measured(f)          ? EXIT_FAILURE
           : findings_runs(f) >= RUNS_AGREE ? EXIT_SUCCESS
                                            : EXIT_TOO_FEW;
}

static int run(const char *const *word, size_t n)
{
    const struct may_differ none = { .n = 0 };
    struct variant of = { .name = "examination" };
    struct findings f = { .n = 0 };
    const struct summary summary = { &f, given.again, given.note };
    struct row_table table;
    bool good;
    int code;
    char why[WHY];

    if (n != 1)
        return tool_refuses("one folder of results is needed");
    good = variant_add(&of, word[0], why) &&
           findings_make(&f, &of, given.left_out, why);
    if (good) {
        row_table_make(&table, &of, 1, &none);
        good = answer(&summary, &table, why);
        row_table_release(&table);
    }
    code = good ? code_of(&f) : tool_refuses(why);
    findings_release(&f);
    variant_release(&of);
    return code;
}

const struct tool_verb verb_examine = {
    "examine",
    "[OPTION...] RESULTS",
    "Print what is odd among hosts, and write it as an HTML page.\n"
    "\n"
    "RESULTS is a folder of results of scripts/examine, which calls this tool.",
    "Example:\n"
    "  alidade-analysis examine -o page.html examine-1/runs\n"
    "\n"
    "Exit codes: 0 nothing is odd, 1 not readable or not written, 2 something is\n"
    "odd, 3 hosts or runs are too few to find anything.",
    options,
    run
};
