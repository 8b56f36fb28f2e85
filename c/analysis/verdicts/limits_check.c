/* SPDX-License-Identifier: BSD-3-Clause */
#include "limits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/host_sets.h"

enum is { PASS, FAIL, MISSING };

/* What was measured, a column for each set of hosts, and what was found of each set. */
struct measured {
    struct host_sets hosts;
    struct row_table table;
    size_t *most; /* of a row: the most runs of a set of so many hosts */
    struct found {
        size_t beyond;     /* limits that it misses */
        size_t short_of;   /* rows of which it has half of the runs or fewer */
        const char *first; /* the first of these: its key, and runs */
        const char *benchmark;
        size_t runs, of;
    } * found;
};

/* The runs that a set has of a row, and how many others of as many hosts have. */
static void count_runs(const struct measured *m, const struct table_row *row)
{
    for (int k = 0; k < m->hosts.n; k++)
        m->most[m->hosts.hosts[k]] = 0;
    for (int k = 0; row != NULL && k < m->hosts.n; k++) {
        size_t *most = &m->most[m->hosts.hosts[k]];

        *most = row->cell[k].runs > *most ? row->cell[k].runs : *most;
    }
}

static bool is_worse(const struct limit *l, double figure, double than)
{
    return l->at_least ? figure < than : figure > than;
}

/* Hold the row against its limit on every set, and note what each lacks.  *at becomes the
   worst set; -1: it was measured on none. */
static enum is check_row(struct measured *m, const struct limit *l,
                         const struct table_row *row, int *at)
{
    int lacks = -1, worst = -1;

    count_runs(m, row);
    for (int k = 0; row != NULL && k < m->hosts.n; k++) {
        const struct table_cell *cell = &row->cell[k];
        const size_t most = m->most[m->hosts.hosts[k]];
        struct found *f = &m->found[k];

        if (cell->runs == 0) {
            lacks = lacks < 0 && most > 0 ? k : lacks;
            continue;
        }
        f->beyond += is_worse(l, cell->figure, l->figure);
        if (2 * cell->runs <= most && f->short_of++ == 0) {
            f->benchmark = row->id.benchmark;
            f->first = row->id.key;
            f->runs = cell->runs;
            f->of = most;
        }
        if (worst < 0 || is_worse(l, cell->figure, row->cell[worst].figure))
            worst = k;
    }
    *at = lacks >= 0 ? lacks : worst;
    return lacks >= 0 || worst < 0                           ? MISSING
           : is_worse(l, row->cell[worst].figure, l->figure) ? FAIL
                                                             : PASS;
}

/* By how much it is not reached, which two decimals of a time may not show; why its value is
   doubtful; and on which hosts. */
static const char *remark(const struct measured *m, const struct limit *l,
                          const struct table_row *row, enum is is, int at,
                          char words[240])
{
    const struct table_cell *cell = at >= 0 ? &row->cell[at] : NULL;
    const double times = cell != NULL ? cell->figure / l->figure : 0;
    const double percent = 100 * fabs(times - 1);

    words[0] = '\0';
    if (is == FAIL && percent >= 1000)
        text_add(words, 240, "%.0f times the limit", times);
    else if (is == FAIL)
        text_add(words, 240, "%.*f%% %s", percent < 0.1 ? 4 : 1, percent,
                 l->at_least ? "below" : "above");
    if (cell != NULL)
        text_add_word(words, 240, "; ", cell->doubtful, 32);
    if (is != PASS && at >= 0 && m->hosts.n > 1)
        text_add(words, 240, "%son %s", words[0] != '\0' ? "; " : "",
                 m->hosts.set[at].name);
    return words;
}

static enum is add_row(struct document *d, struct measured *m,
                       const struct limit *l)
{
    static const char *const word[] = { "pass", "FAIL", "MISSING" };
    const struct table_row *row = row_table_find(&m->table, &l->id);
    char words[240];
    int at;
    const enum is is = check_row(m, l, row, &at);

    document_cell(d, "%s", l->id.benchmark);
    document_cell(d, "%s", l->id.place);
    document_cell(d, "%s", l->id.key);
    document_cell(d, "%s %.2f %s", l->at_least ? ">=" : "<=", l->figure,
                  l->id.unit);
    document_cell(d, is == MISSING ? "-" : "%.2f",
                  is == MISSING ? 0 : row->cell[at].figure);
    document_cell(d, "%s", word[is]);
    document_aside(d, remark(m, l, row, is, at, words));
    if (is != PASS)
        document_mark(d, "slower");
    return is;
}

static bool has_word(const char *text, const char *word, size_t n)
{
    for (size_t m; *text != '\0'; text += m, text += strspn(text, " ")) {
        m = strcspn(text, " ");
        if (m == n && strncmp(text, word, n) == 0)
            return true;
    }
    return false;
}

/* Add the words of a row that another one lacks: "window=64". */
static void add_other(char *words, size_t room, const struct row_id *of,
                      const struct row_id *other)
{
    char text[2][ROW_KEY + 16];
    const char *at = text[0];

    snprintf(text[0], sizeof text[0], "%s %s", of->key, of->unit);
    snprintf(text[1], sizeof text[1], "%s %s", other->key, other->unit);
    for (size_t n; *at != '\0'; at += n, at += strspn(at, " ")) {
        n = strcspn(at, " ");
        if (!has_word(text[1], at, n))
            text_add(words, room, " %.*s", (int)n, at);
    }
}

/* Of rows that only the limits have, and rows that were measured, the first two of the same
   benchmark, place and size, or else of another size.  False: there are none. */
static bool nearest(const struct limits *l, const struct row_table *t,
                    const struct row_id **limit, const struct row_id **row)
{
    bool found = false;

    for (size_t i = 0; i < l->rows; i++) {
        const struct row_id *of = &l->row[i].id;

        if (row_table_find(t, of) != NULL)
            continue;
        for (size_t k = 0; k < t->rows; k++) {
            const struct row_id *is = &t->row[k].id;
            const bool same = is->bytes == of->bytes;

            if (!row_id_same_table(of, is) || (found && !same))
                continue;
            found = true;
            *limit = of;
            *row = is;
            if (same)
                return true;
        }
    }
    return found;
}

/* Say what limits and results do not have in common, where rows are missing. */
static void say_other(struct document *d, const struct limits *l,
                      const struct row_table *t, bool all)
{
    const struct row_id *of = &l->row[0].id;
    const struct row_id *is = t->rows > 0 ? &t->row[0].id : NULL;
    char words[2][ROW_KEY + 16] = { "", "" };

    if (nearest(l, t, &of, &is)) {
        add_other(words[0], sizeof words[0], of, is);
        add_other(words[1], sizeof words[1], is, of);
        if (all || of->bytes == is->bytes)
            document_add(d, DOCUMENT_NOTE,
                         "missing: %s (%s) was measured in another way. "
                         "Limits:%s; results:%s",
                         of->benchmark, of->place, words[0], words[1]);
    } else if (all) {
        document_add(d, DOCUMENT_NOTE,
                     is != NULL
                         ? "no row with a limit was measured: %s has limits "
                           "of %s (%s; %s); the results are of %s (%s; %s)"
                         : "no row with a limit was measured: %s has limits "
                           "of %s (%s; %s)",
                     l->file, of->benchmark, of->place, of->unit,
                     is != NULL ? is->benchmark : "",
                     is != NULL ? is->place : "", is != NULL ? is->unit : "");
    }
}

/* Every set with rows beyond a limit, since a row names the worst alone; and those that lack
   runs, of which it returns the number. */
static size_t say_sets(struct document *d, const struct measured *m)
{
    char words[WHY] = "";
    size_t incomplete = 0;

    for (int k = 0; k < m->hosts.n; k++)
        if (m->found[k].beyond > 0)
            text_add(words, sizeof words, "%s%s (%zu)",
                     words[0] != '\0' ? ", " : "beyond limits, with rows: ",
                     m->hosts.set[k].name, m->found[k].beyond);
    document_add(d, DOCUMENT_NOTE, "%s", words);
    for (int k = 0; k < m->hosts.n; k++) {
        const struct found *f = &m->found[k];

        if (f->short_of == 0)
            continue;
        incomplete++;
        snprintf(words, sizeof words, "; and in %zu other row%s",
                 f->short_of - 1, f->short_of > 2 ? "s" : "");
        document_add(d, DOCUMENT_NOTE,
                     "runs are missing: %s; %s on %s has %zu of %zu%s",
                     f->benchmark, f->first, m->hosts.set[k].name, f->runs,
                     f->of, f->short_of > 1 ? words : "");
    }
    document_add(d, DOCUMENT_NOTE,
                 "%d sets of hosts; of each row the worst is shown",
                 m->hosts.n);
    return incomplete;
}

/* Rows that were measured, and that nothing says how good they must be. */
static void say_without_limit(struct document *d, const struct limits *l,
                              const struct row_table *t)
{
    const struct row_id *first = NULL;
    size_t n = 0, k;

    for (size_t i = 0; i < t->rows; i++) {
        for (k = 0; k < l->rows; k++)
            if (row_id_order(&l->row[k].id, &t->row[i].id) == 0)
                break;
        if (k == l->rows && n++ == 0)
            first = &t->row[i].id;
    }
    if (n > 0)
        document_add(
            d, DOCUMENT_NOTE, "without a limit: %zu row%s, first %s, %s, %s", n,
            n == 1 ? "" : "s", first->benchmark, first->place, first->key);
}

size_t limits_check(struct document *d, const struct limits *l,
                    const struct variant *of)
{
    static const struct document_column column[] = {
        { "Program", 9, COLUMN_LEFT }, { "Placement", 39, COLUMN_LEFT },
        { "Row", 33, COLUMN_LEFT },    { "limit", 21, 0 },
        { "measured", 13, 0 },         { "result", 0, COLUMN_LEFT },
    };
    const struct may_differ none = { .n = 0 };
    struct measured m;
    size_t bad = 0, missing = 0;
    int most = 0;

    host_sets_make(&m.hosts, of);
    row_table_make(&m.table, m.hosts.set, m.hosts.n, &none);
    for (int k = 0; k < m.hosts.n; k++)
        most = m.hosts.hosts[k] > most ? m.hosts.hosts[k] : most;
    m.most = given_memory(calloc((size_t)most + 1, sizeof *m.most));
    m.found = given_memory(calloc((size_t)m.hosts.n + 1, sizeof *m.found));
    document_table(d, column, sizeof column / sizeof *column);
    for (size_t i = 0; i < l->rows; i++) {
        const enum is is = add_row(d, &m, &l->row[i]);

        bad += is != PASS;
        missing += is == MISSING;
    }
    if (missing > 0)
        say_other(d, l, &m.table, missing == l->rows);
    document_add(d, DOCUMENT_ANSWER, "%zu of %zu rows are within their limits",
                 l->rows - bad, l->rows);
    if (m.hosts.n > 1)
        bad += say_sets(d, &m);
    say_without_limit(d, l, &m.table);
    free(m.most);
    free(m.found);
    row_table_release(&m.table);
    host_sets_release(&m.hosts);
    return bad;
}
