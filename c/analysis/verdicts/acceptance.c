/* SPDX-License-Identifier: BSD-3-Clause */
#include "acceptance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/host_sets.h"

/* What else is to be said of the row, or "": why its value is doubtful; if it is not reached,
   also by how much, which two decimals of a time may not show, and on which hosts.  cell is
   NULL if the row is missing, on if the runs are of one set of hosts. */
static const char *remark(const struct limit *row, enum limit_is is,
                          const struct table_cell *cell,
                          const struct host_set *on, char text[240])
{
    const double times = cell != NULL ? cell->figure / row->figure : 0;
    const double percent = 100 * fabs(times - 1);
    char words[240] = "", hosts[120];

    if (is == LIMIT_FAIL && percent >= 1000)
        text_add(words, sizeof words, "%.0f times the limit", times);
    else if (is == LIMIT_FAIL)
        text_add(words, sizeof words, "%.*f%% %s", percent < 0.1 ? 4 : 1,
                 percent, row->at_least ? "below" : "above");
    if (cell != NULL)
        text_add_word(words, sizeof words, "; ", cell->doubtful, 32);
    if (is != LIMIT_PASS && on != NULL)
        text_add(words, sizeof words, "%son %s", words[0] != '\0' ? "; " : "",
                 host_set_words(on, hosts));
    snprintf(text, 240, words[0] != '\0' ? " (%s)" : "%s", words);
    return text;
}

/* What was measured, by hosts. */
struct measured {
    struct host_sets hosts;
    struct row_table *table; /* of each set */
    size_t *most;            /* runs of a row in any set of a size: most_runs */
};

/* The most runs of row number i that a set of as many hosts as this one has. */
static size_t *most_runs(const struct measured *m, size_t i,
                         const struct host_set *set)
{
    return &m->most[i * m->hosts.sizes + set->size];
}

static void measured_make(struct measured *m, const struct limits *l,
                          const struct variant *s)
{
    const struct may_differ none = { .n = 0 };

    host_sets_make(&m->hosts, s);
    m->table = given_memory(calloc(m->hosts.n + 1, sizeof *m->table));
    m->most =
        given_memory(calloc(l->rows * m->hosts.sizes + 1, sizeof *m->most));
    for (size_t i = 0; i < m->hosts.n; i++) {
        const struct host_set *set = &m->hosts.set[i];

        row_table_make(&m->table[i], &set->of, 1, &none);
        for (size_t k = 0; k < l->rows; k++) {
            const size_t runs = limit_runs(&l->row[k], &m->table[i]);

            if (runs > *most_runs(m, k, set))
                *most_runs(m, k, set) = runs;
        }
    }
}

static void measured_release(struct measured *m)
{
    for (size_t i = 0; i < m->hosts.n; i++)
        row_table_release(&m->table[i]);
    free(m->table);
    free(m->most);
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

/* Has another folder of the hosts of set i the row, and so makes up for that set? */
static bool made_up(const struct limits *l, const struct limit *row,
                    const struct measured *m, size_t i)
{
    for (size_t k = m->hosts.set[i].alike; k != i; k = m->hosts.set[k].alike)
        if (limit_runs(row, &m->table[k]) > 0 &&
            !repeated(l, &m->table[k], &m->table[i]))
            return true;
    return false;
}

/* The first set without this row, where a set of as many hosts has it, and no set makes
   up for it; their number: there is none. */
static size_t find_missing(const struct limits *l, const struct limit *row,
                           const struct measured *m)
{
    const struct host_sets *h = &m->hosts;

    for (size_t i = 0; i < h->n; i++)
        if (limit_runs(row, &m->table[i]) == 0 &&
            *most_runs(m, (size_t)(row - l->row), &h->set[i]) > 0 &&
            !made_up(l, row, m, i))
            return i;
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
            const size_t most = *most_runs(m, k, set);

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

/* Limits and results have no row in common: say what each has. */
static void say_other(const struct limits *l, const char *file,
                      const struct measured *m)
{
    const struct row_id *of = &l->row[0].id;

    printf("# no row with a limit was measured: %s has limits of %s (%s; %s)",
           file, of->benchmark, of->place, of->unit);
    if (m->hosts.n > 0 && m->table[0].rows > 0) {
        of = &m->table[0].row[0].id;
        printf("; the results are of %s (%s; %s)", of->benchmark, of->place,
               of->unit);
    }
    putchar('\n');
}

static bool has_limit(const struct limits *l, const struct row_id *id)
{
    for (size_t i = 0; i < l->rows; i++)
        if (row_id_equal(&l->row[i].id, id))
            return true;
    return false;
}

/* Rows that were measured, and that nothing says how good they must be. */
static void name_without_limit(const struct limits *l, const struct variant *s)
{
    const struct may_differ none = { .n = 0 };
    struct row_table table;
    const struct row_id *first = NULL;
    size_t n = 0;

    row_table_make(&table, s, 1, &none);
    for (size_t i = 0; i < table.rows; i++)
        if (!has_limit(l, &table.row[i].id) && n++ == 0)
            first = &table.row[i].id;
    if (n > 0)
        printf("# without a limit: %zu row%s, first %s, %s, %s\n", n,
               n == 1 ? "" : "s", first->benchmark, first->place, first->key);
    row_table_release(&table);
}

/* Rows that are not reached, or were not measured. */
static size_t hold(const struct limits *l, const char *file,
                   const struct measured *m)
{
    static const char *const word[] = { "pass", "FAIL", "MISSING" };
    size_t bad = 0, missing = 0;

    printf("%-11s %-39s %-33s %21s %13s  %s\n", "# Program", "Placement", "Row",
           "limit", "measured", "");
    for (size_t i = 0; i < l->rows; i++) {
        const struct limit *row = &l->row[i];
        double figure;
        size_t at;
        const enum limit_is is = check_worst(l, row, m, &figure, &at);
        const bool known = at < m->hosts.n;
        char limit[64], more[240], seen[32] = "-";

        snprintf(limit, sizeof limit, "%s %.2f %s",
                 row->at_least ? ">=" : "<=", row->figure, row->id.unit);
        if (is != LIMIT_MISSING)
            snprintf(seen, sizeof seen, "%.2f", figure);
        printf("%-11s %-39s %-33s %21s %13s  %s%s\n", row->id.benchmark,
               row->id.place, row->id.key, limit, seen, word[is],
               remark(row, is, known ? limit_cell(row, &m->table[at]) : NULL,
                      known && m->hosts.n > 1 ? &m->hosts.set[at] : NULL,
                      more));
        bad += is != LIMIT_PASS;
        missing += is == LIMIT_MISSING;
    }
    if (missing > 0 && missing == l->rows)
        say_other(l, file, m);
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

size_t acceptance_print(const struct limits *limits, const char *file,
                        const struct variant *of)
{
    struct measured m;
    size_t bad;

    measured_make(&m, limits, of);
    bad = hold(limits, file, &m);
    name_without_limit(limits, of);
    measured_release(&m);
    return bad;
}
