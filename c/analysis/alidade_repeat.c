/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alidade-repeat - what several runs of one program show, and what the next one will: the
 *                  analysis of results that are there.  scripts/repeat makes them.
 */
#ifdef HAVE_CONFIG_H
#    include "config.h"
#endif

#include <argp.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fresh_file.h"
#include "repetition/repetition_print.h"

enum { ALLOW = 256, FAILED, JSON, PRECISION, STOP, WIDEST };

static struct {
    struct variant variant;
    struct may_differ may;
    struct repetition_made made;
    const char *json;
    bool widest;
} given = { .variant = { .name = "results" },
            .may = { .how = PERMIT_WITH_ALLOW } };

static const struct argp_option options[] = {
    { "allow", ALLOW, "FIELD", 0, NULL, 0 },
    { "failed", FAILED, "RUN: WHY", 0, NULL, 0 },
    { "json", JSON, "FILE", 0, NULL, 0 },
    { "precision", PRECISION, "PERCENT", 0, NULL, 0 },
    { "stop", STOP, "WORD", 0, NULL, 0 },
    { "widest", WIDEST, NULL, 0, NULL, 0 },
    TOOL_OPTIONS,
    { NULL, 0, NULL, 0, NULL, 0 }
};

static const char help[] =
    "Usage: alidade-repeat [OPTION...] RESULTS...\n"
    "Print runs of one program as one table: the median over runs, and the\n"
    "interval that the next run will be in, with 95% probability.\n"
    "\n"
    "RESULTS are JSON result files of one command (--json of a benchmark, or of\n"
    "scripts/repeat), or folders of them. The table has the form of the first\n"
    "run: for run-1.json that of run-1.txt, if that exists. scripts/repeat makes\n"
    "the runs and calls this tool. An interval requires five runs.\n"
    "\n"
    "Options:\n"
    "      --allow=FIELD         JSON field that may differ between the runs,\n"
    "                            such as environment.path; repeatable\n"
    "      --json=FILE           also write rows, groups and all runs as JSON\n"
    "      --widest              print only the widest interval, in % of the\n"
    "                            median, >100 beyond, or - if a row has none\n"
    "      --precision=PERCENT   the interval that was wanted, for the record\n"
    "      --stop=WORD           why there are no more runs, for the record\n"
    "      --failed=\"RUN: WHY\"   a run that failed, for the record; repeatable\n"
    "  -h, --help                print this help\n"
    "  -v, --version             print the version\n"
    "\n"
    "Example:\n"
    "  alidade-repeat --json repeat.json results/latency-*.json\n"
    "\n"
    "Exit codes: 0 success, 1 not readable, not runs of one command, or not\n"
    "written.";

static int give_up(const char *why)
{
    fprintf(stderr, "repeat: %s\n", why);
    return EXIT_FAILURE;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    char why[WHY];

    switch (key) {
    case ALLOW:
        if (!may_differ_add(&given.may, text, why))
            argp_failure(state, EXIT_FAILURE, 0, "%s", why);
        return 0;
    case FAILED:
        if (given.made.failures == REPETITION_FAILED)
            argp_failure(state, EXIT_FAILURE, 0, "--failed: at most %d",
                         REPETITION_FAILED);
        given.made.failed[given.made.failures++] = text;
        return 0;
    case JSON:
        given.json = text;
        return 0;
    case PRECISION:
        given.made.precision = percentage(text);
        if (!(given.made.precision > 0))
            argp_failure(state, EXIT_FAILURE, 0,
                         "--precision %s is not a percentage", text);
        return 0;
    case STOP:
        given.made.stop = text;
        return 0;
    case WIDEST:
        given.widest = true;
        return 0;
    case 'h':
        print_and_exit(help);
    case 'v':
        print_and_exit("alidade-repeat (Alidade) " PACKAGE_VERSION);
    case ARGP_KEY_ARG:
        if (!variant_add(&given.variant, text, why))
            exit(give_up(why));
        return 0;
    case ARGP_KEY_END:
        if (given.variant.n == 0)
            argp_failure(state, EXIT_FAILURE, 0, "results are needed");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

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
    return variant_is_of_one_mpi(s, why);
}

static int by_number(const void *a, const void *b)
{
    const struct result_file *x = a, *y = b;

    return x->run != y->run ? (x->run > y->run ? 1 : -1)
                            : strcmp(x->path, y->path);
}

/* In the order of their numbers: in a folder "latency-10.json" comes before
   "latency-2.json". */
static void sort_runs(struct variant *s)
{
    for (size_t i = 0; i < s->n; i++)
        s->file[i].run = repetition_number(s, i);
    qsort(s->file, s->n, sizeof *s->file, by_number);
}

static int print_all(const struct repetition *r)
{
    char text[24];
    const char *widest = repetition_widest_words(r, 2, text);
    struct fresh_file file;

    if (r->rows == 0)
        return give_up("no row has a value");
    if (given.widest) {
        puts(widest != NULL ? widest : "-");
    } else {
        repetition_text(stdout, r, &given.made);
    }
    if (given.json != NULL &&
        (!fresh_file_begin(&file, given.json) ||
         !fresh_file_end(&file, repetition_json(file.to, r, &given.made)))) {
        fprintf(stderr, "repeat: '%s' could not be written: %s\n", given.json,
                strerror(errno));
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    static const struct argp argp = { options, parse, NULL, NULL,
                                      NULL,    NULL,  NULL };
    struct repetition r;
    char why[WHY];
    int code;

    argp_err_exit_status = EXIT_FAILURE;
    argp_parse(&argp, argc, argv, ARGP_NO_HELP, NULL, NULL);
    sort_runs(&given.variant);
    if (!can_be_written(&given.json, 1, why) ||
        !may_differ_is_met(&given.may, &given.variant, 1, why) ||
        !belong_together(&given.variant, why)) {
        code = give_up(why);
    } else {
        repetition_make(&r, &given.variant, &given.may);
        code = print_all(&r);
        repetition_release(&r);
    }
    variant_release(&given.variant);
    return leave(code);
}
