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

#include "results/host_sets.h"
#include "verdicts/row_limits.h"

enum { EXIT_NOT_REACHED = 2 };

/* --slack where it is not given. */
static const double LEAST_SLACK = 0.05;

static struct {
    const char *file;
    bool learns;
    double least; /* --slack; negative: not given */
    struct subject subject;
} given = { .least = -1, .subject = { .name = "results" } };

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
        else if (!subject_add(&given.subject, text, why))
            exit(give_up(why));
        return 0;
    case ARGP_KEY_END:
        if (given.subject.n == 0)
            argp_failure(state, EXIT_FAILURE, 0,
                         "a limits file and results are needed");
        if (given.least >= 0 && !given.learns)
            argp_failure(state, EXIT_FAILURE, 0, "--slack requires --learn");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* By how much a row is not reached, as two decimals of a time may not show it, and where
   runs of several places were given, in which of them; else "". */
static const char *beyond(const struct limit *row, enum limit_is is,
                          double figure, const struct host_set *on,
                          char text[200])
{
    const double percent = 100 * fabs(figure / row->figure - 1);
    char hosts[120] = "", by[40] = "";

    text[0] = '\0';
    if (is == LIMIT_PASS || (is == LIMIT_MISSING && on == NULL))
        return text;
    if (on != NULL)
        host_set_words(on, hosts);
    if (is == LIMIT_FAIL && percent >= 1000)
        snprintf(by, sizeof by, "%.0f times the limit%s", figure / row->figure,
                 on != NULL ? "; " : "");
    else if (is == LIMIT_FAIL)
        snprintf(by, sizeof by, "%.*f%% %s%s", percent < 0.1 ? 4 : 1, percent,
                 row->at_least ? "below" : "above", on != NULL ? "; " : "");
    snprintf(text, 200, " (%s%s%s)", by, on != NULL ? "on " : "", hosts);
    return text;
}

/* What was measured, by hosts. */
struct measured {
    struct host_sets hosts;
    struct row_table *table; /* of each set */
};

static void measured_make(struct measured *m, const struct subject *s)
{
    const struct may_differ none = { .n = 0 };

    host_sets_make(&m->hosts, s);
    m->table = given_memory(calloc(m->hosts.n + 1, sizeof *m->table));
    for (size_t i = 0; i < m->hosts.n; i++)
        row_table_make(&m->table[i], &m->hosts.set[i].of, 1, &none);
}

static void measured_release(struct measured *m)
{
    for (size_t i = 0; i < m->hosts.n; i++)
        row_table_release(&m->table[i]);
    free(m->table);
    host_sets_release(&m->hosts);
}

/* Two folders of the same hosts that have any row in common are repeated measurements:
   neither makes up for what the other lacks.  Otherwise they are parts of one. */
static bool repeated(const struct limits *l, const struct row_table *a,
                     const struct row_table *b)
{
    for (size_t i = 0; i < l->rows; i++)
        if (limit_runs(&l->row[i], a) > 0 && limit_runs(&l->row[i], b) > 0)
            return true;
    return false;
}

/* The first set without this row, where a set of as many hosts has it, and no set that
   makes up for it does; their number: there is none. */
static size_t find_missing(const struct limits *l, const struct limit *row,
                           const struct measured *m)
{
    const struct host_sets *h = &m->hosts;

    for (size_t i = 0; i < h->n; i++) {
        bool expected = false, found = limit_runs(row, &m->table[i]) > 0;

        for (size_t k = 0; k < h->n && !found; k++) {
            if (h->set[k].nhosts != h->set[i].nhosts ||
                limit_runs(row, &m->table[k]) == 0)
                continue;
            expected = true;
            found = strcmp(h->set[k].hosts, h->set[i].hosts) == 0 &&
                    !repeated(l, &m->table[k], &m->table[i]);
        }
        if (expected && !found)
            return i;
    }
    return h->n;
}

/* Check the row wherever it was measured: the set that is furthest from the limit
   counts, or one that lacks the row.  *at becomes its number, or that of all sets if
   there is none. */
static enum limit_is check_worst(const struct limits *l,
                                 const struct limit *row,
                                 const struct measured *m, double *figure,
                                 size_t *at)
{
    enum limit_is worst = LIMIT_MISSING;

    *figure = 0;
    *at = find_missing(l, row, m);
    if (*at < m->hosts.n)
        return LIMIT_MISSING;
    for (size_t i = 0; i < m->hosts.n; i++) {
        double seen;
        const enum limit_is is = limit_check(row, &m->table[i], &seen);

        if (is == LIMIT_MISSING ||
            (worst != LIMIT_MISSING &&
             (row->at_least ? seen >= *figure : seen <= *figure)))
            continue;
        worst = is;
        *figure = seen;
        *at = i;
    }
    return worst;
}

/* Every set with rows beyond a limit, since a row names the worst alone. */
static void name_sets(const struct limits *l, const struct measured *m)
{
    bool any = false;

    for (size_t i = 0; i < m->hosts.n; i++) {
        size_t beyond = 0;
        char words[120];
        double seen;

        for (size_t k = 0; k < l->rows; k++)
            beyond +=
                limit_check(&l->row[k], &m->table[i], &seen) == LIMIT_FAIL;
        if (beyond > 0)
            printf("%s%s (%zu)", any ? ", " : "# beyond limits, with rows: ",
                   host_set_words(&m->hosts.set[i], words), beyond);
        any = any || beyond > 0;
    }
    if (any)
        putchar('\n');
}

/* The most runs of a row that a set of as many hosts as this one has. */
static size_t most_runs(const struct limit *row, const struct measured *m,
                        const struct host_set *set)
{
    size_t most = 0;

    for (size_t i = 0; i < m->hosts.n; i++)
        if (m->hosts.set[i].nhosts == set->nhosts &&
            limit_runs(row, &m->table[i]) > most)
            most = limit_runs(row, &m->table[i]);
    return most;
}

/* Name every set in which half of the runs of a row or more are missing; returns how
   many.  What a set lacks wholly is another folder's, or was said of the row. */
static size_t name_incomplete(const struct limits *l, const struct measured *m)
{
    size_t incomplete = 0;

    for (size_t i = 0; i < m->hosts.n; i++) {
        const struct host_set *set = &m->hosts.set[i];
        size_t rows = 0;
        char words[120];

        for (size_t k = 0; k < l->rows; k++) {
            const size_t runs = limit_runs(&l->row[k], &m->table[i]);
            const size_t most = most_runs(&l->row[k], m, set);

            if (runs == 0 || 2 * runs > most)
                continue;
            if (rows++ == 0)
                printf("# runs are missing: %s; %s on %s has %zu of %zu",
                       l->row[k].id.benchmark, l->row[k].id.key,
                       host_set_words(set, words), runs, most);
        }
        if (rows > 1)
            printf("; and in %zu other row%s", rows - 1, rows > 2 ? "s" : "");
        if (rows > 0) {
            putchar('\n');
            incomplete++;
        }
    }
    return incomplete;
}

/* Rows that are not reached, or were not measured. */
static size_t hold(const struct limits *l, const struct measured *m)
{
    static const char *const word[] = { "pass", "FAIL", "MISSING" };
    size_t bad = 0;

    printf("%-11s %-39s %-33s %21s %13s  %s\n", "# Program", "Placement", "Row",
           "limit", "measured", "");
    for (size_t i = 0; i < l->rows; i++) {
        const struct limit *row = &l->row[i];
        double figure;
        size_t at;
        const enum limit_is is = check_worst(l, row, m, &figure, &at);
        char limit[64], more[200], seen[32] = "-";

        snprintf(limit, sizeof limit, "%s %.2f %s",
                 row->at_least ? ">=" : "<=", row->figure, row->id.unit);
        if (is != LIMIT_MISSING)
            snprintf(seen, sizeof seen, "%.2f", figure);
        printf(
            "%-11s %-39s %-33s %21s %13s  %s%s\n", row->id.benchmark,
            row->id.place, row->id.key, limit, seen, word[is],
            beyond(row, is, figure,
                   m->hosts.n > 1 && at < m->hosts.n ? &m->hosts.set[at] : NULL,
                   more));
        bad += is != LIMIT_PASS;
    }
    printf("# %zu of %zu rows are within their limits\n", l->rows - bad,
           l->rows);
    if (m->hosts.n > 1) {
        name_sets(l, m);
        bad += name_incomplete(l, m);
        printf(
            "# %zu sets of runs, by hosts and folder; of each row the worst is "
            "shown\n",
            m->hosts.n);
    }
    return bad;
}

/* Runs whose ranks shared CPUs. */
static size_t crowded(const struct subject *s)
{
    size_t n = 0;

    for (size_t i = 0; i < s->n; i++)
        n += json_is_true(
            json_object_get(s->file[i].environment, "oversubscribed"));
    return n;
}

static bool learn(char why[WHY])
{
    struct far_limits far;
    const size_t shared = crowded(&given.subject);

    if (!limits_learn(given.file, &given.subject,
                      given.least < 0 ? LEAST_SLACK : given.least, &far, why))
        return false;
    printf("# written: %s\n", given.file);
    if (shared > 0)
        printf("# In %zu of %zu result files the ranks shared CPUs (W08): such "
               "limits mean nothing.\n",
               shared, given.subject.n);
    if (far.n > 0)
        printf("# %zu of %zu limits are wide, because the runs of these rows "
               "differ.\n"
               "# The widest differs from the median by a factor of %.1f: "
               "%s, %s.\n"
               "# Measure again on a quiet machine, or set such limits by "
               "hand.\n",
               far.n, far.rows, far.factor, far.furthest.benchmark,
               far.furthest.key);
    return true;
}

int main(int argc, char **argv)
{
    static const struct argp argp = { options, parse, NULL, NULL,
                                      NULL,    NULL,  NULL };
    const struct may_differ none = { .n = 0 };
    struct limits limits;
    struct measured measured;
    char why[WHY];
    int code = EXIT_SUCCESS;

    argp_err_exit_status = EXIT_FAILURE;
    argp_parse(&argp, argc, argv, ARGP_NO_HELP, NULL, NULL);
    if (!subject_is_of_one_mpi(&given.subject, why) ||
        !comparable_launches(&given.subject, &given.subject, &none, why)) {
        code = give_up(why);
    } else if (given.learns) {
        if (!learn(why))
            code = give_up(why);
    } else if (!limits_read(&limits, given.file, why)) {
        code = give_up(why);
    } else {
        measured_make(&measured, &given.subject);
        if (!comparable_launches(&limits.conditions, &given.subject, &none,
                                 why))
            code = give_up(why);
        else if (hold(&limits, &measured) > 0)
            code = EXIT_NOT_REACHED;
        measured_release(&measured);
        limits_release(&limits);
    }
    subject_release(&given.subject);
    return code;
}
