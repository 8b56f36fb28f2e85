/* SPDX-License-Identifier: BSD-3-Clause */
#include "limits.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "next_run.h"
#include "results/host_sets.h"
#include "stats/stats.h"

enum {
    FORM = 1,
    NAMED = 20,
    SETS = 3 /* as many as tell which of them differs */
};

/* A limit so far from the median is wide, because the runs of the row differ. */
static const double FAR = 1.25;

/* --- Learning ---------------------------------------------------------------------- */

/* What is to be said of limits that were learned. */
struct learned {
    size_t rows, far, split, unlearned;
    struct {
        const struct row_id *id;
        char why[160];
    } named
        [NAMED]; /* rows whose limits are to be looked at, the first so many */
    size_t n;    /* all of them */
};

/* Name the row, if there is a reason. */
static void name_row(struct learned *all, const struct table_row *row,
                     const char *why)
{
    char words[160] = "";

    text_add(words, sizeof words, "%s", why);
    text_add_word(words, sizeof words, words[0] != '\0' ? ", " : "",
                  row->cell[0].doubtful, 80);
    if (words[0] == '\0')
        return;
    if (all->n < NAMED) {
        all->named[all->n].id = &row->id;
        snprintf(all->named[all->n].why, sizeof words, "%s", words);
    }
    all->n++;
}

static json_t *learn_row(const struct table_row *row, double least,
                         struct learned *all)
{
    const struct table_cell *cell = &row->cell[0];
    const bool rate = strcmp(row->id.unit, "MB/s") == 0;
    double *value = given_memory(malloc(2 * cell->runs * sizeof *value));
    double *sorted = value + cell->runs, middle, limit;
    char why[80] = "";
    json_t *learned;

    for (size_t i = 0; i < cell->runs; i++) {
        value[i] = rate ? 1 / cell->run[i].figure : cell->run[i].figure;
        sorted[i] = log(value[i]);
    }
    stats_sort(sorted, cell->runs);
    middle = stats_median(value, cell->runs);
    limit = stats_outlier_limit(value, cell->runs, least);
    all->rows++;
    if (limit > middle * fmax(FAR, 1 + least)) {
        all->far++;
        text_add(why, sizeof why, "the limit is %.1f times the median",
                 limit / middle);
    }
    if (run_groups_of(sorted, cell->runs).lower > 0) {
        all->split++;
        text_add(why, sizeof why, "%stwo groups", why[0] != '\0' ? ", " : "");
    }
    free(value);
    name_row(all, row, why);
    learned = json_pack(
        "{s:s, s:s, s:s, s:s, s:f, s:f, s:I}", "benchmark", row->id.benchmark,
        "placement", row->id.place, "row", row->id.key, "unit", row->id.unit,
        rate ? "at_least" : "at_most", rate ? 1 / limit : limit, "median",
        rate ? 1 / middle : middle, "runs", (json_int_t)cell->runs);
    return given_memory(learned);
}

/* A row whose figures are above 0. */
static bool can_be_learned(const struct table_cell *cell)
{
    return cell->runs > 0 && cell->low > 0;
}

/* False: some row has too few runs. */
static bool learn_rows(json_t *rows, const struct row_table *t, double least,
                       struct learned *all, char why[WHY])
{
    for (size_t i = 0; i < t->all; i++) {
        const struct row_id *id = &t->row[i].id;
        const size_t n = t->row[i].cell[0].runs;

        if (n > 0 && n < LIMIT_RUNS)
            return refuse(why,
                          "%s, %s, %s: %zu run%s; learning limits takes at "
                          "least %d",
                          id->benchmark, id->place, id->key, n,
                          n == 1 ? "" : "s", LIMIT_RUNS);
        if (can_be_learned(&t->row[i].cell[0])) {
            json_array_append_new(rows, learn_row(&t->row[i], least, all));
        } else {
            all->unlearned++;
            name_row(all, &t->row[i], "no limit");
        }
    }
    return true;
}

static void say_learned(struct document *d, const struct learned *all,
                        const struct row_table *t)
{
    const struct doubtful doubtful = doubtful_rows(t, 0);
    const size_t shared = variant_crowded(t->variant);
    char words[WHY];

    if (shared > 0)
        document_add(d, DOCUMENT_NOTE,
                     "In %zu of %zu result files the ranks shared CPUs (W08): "
                     "such limits mean nothing.",
                     shared, t->variant->n);
    if (doubtful.n > 0)
        document_add(d, DOCUMENT_NOTE,
                     "%s. Measure again before you use their limits.",
                     doubtful_words(&doubtful, t->variant->name, words));
    if (all->far > 0)
        document_add(d, DOCUMENT_NOTE,
                     "%zu of %zu limits are wide, because the runs of these "
                     "rows differ. Measure again on a quiet machine, or set "
                     "such limits by hand.",
                     all->far, all->rows);
    if (all->split > 0)
        document_add(d, DOCUMENT_NOTE,
                     "In %zu of %zu rows the runs fall into two groups. A good "
                     "node may miss such limits: set them by hand.",
                     all->split, all->rows);
    if (all->unlearned > 0)
        document_add(d, DOCUMENT_NOTE,
                     "%zu row%s got no limit, since no run of them counts.",
                     all->unlearned, all->unlearned == 1 ? "" : "s");
    for (size_t i = 0; i < all->n && i < NAMED; i++)
        document_add(d, DOCUMENT_NOTE, "  %s, %s, %s: %s",
                     all->named[i].id->benchmark, all->named[i].id->place,
                     all->named[i].id->key, all->named[i].why);
    if (all->n > NAMED)
        document_add(d, DOCUMENT_NOTE, "  and %zu more", all->n - NAMED);
}

static double cost_of(const struct table_row *row, int set)
{
    const double figure = row->cell[set].figure;

    return strcmp(row->id.unit, "MB/s") == 0 ? 1 / figure : figure;
}

/* Is the row slower on this set than on others of as many hosts?  room: for all sets. */
static bool is_slower(const struct host_sets *h, const struct table_row *row,
                      int set, double *room)
{
    size_t n = 0;

    for (int k = 0; k < h->n; k++)
        if (h->hosts[k] == h->hosts[set] && can_be_learned(&row->cell[k]))
            room[n++] = cost_of(row, k);
    return n >= SETS && can_be_learned(&row->cell[set]) &&
           cost_of(row, set) > stats_outlier_limit(room, n, FAR - 1);
}

/* Sets of hosts that make limits wide, because they are slower than the others. */
static void say_slower(struct document *d, const struct variant *s)
{
    const struct may_differ none = { .n = 0 };
    struct host_sets hosts;
    struct row_table t;
    double *room;

    host_sets_make(&hosts, s);
    row_table_make(&t, hosts.set, hosts.n, &none);
    room = given_memory(malloc(((size_t)hosts.n + 1) * sizeof *room));
    for (int k = 0; k < hosts.n; k++) {
        const struct row_id *first = NULL;
        size_t n = 0;

        for (size_t i = 0; i < t.rows; i++)
            if (is_slower(&hosts, &t.row[i], k, room) && n++ == 0)
                first = &t.row[i].id;
        if (n > 0)
            document_add(d, DOCUMENT_NOTE,
                         "%s is slower than the other hosts in %zu row%s, "
                         "first %s, %s, %s. Learn without it.",
                         hosts.set[k].name, n, n == 1 ? "" : "s",
                         first->benchmark, first->place, first->key);
    }
    free(room);
    row_table_release(&t);
    host_sets_release(&hosts);
}

static bool write_limits(FILE *to, const void *limits)
{
    return json_dumpf(limits, to, JSON_INDENT(1) | JSON_REAL_PRECISION(6)) == 0;
}

bool limits_learn(struct document *d, const char *path, const struct variant *s,
                  double least, char why[WHY])
{
    const struct may_differ none = { .n = 0 };
    json_t *rows = json_array(), *all;
    struct learned learned = { .rows = 0 };
    struct row_table table;
    bool good;

    row_table_make(&table, s, 1, &none);
    good = learn_rows(rows, &table, least, &learned, why);
    all = given_memory(json_pack("{s:i, s:s, s:o, s:o}", "alidade_limits", FORM,
                                 "learned", s->name, "measured_as",
                                 conditions_of(s), "rows", rows));
    good = good && write_file(path, write_limits, all, why);
    json_decref(all);
    if (good) {
        document_add(d, DOCUMENT_NOTE, "written: %s", path);
        say_slower(d, s);
        say_learned(d, &learned, &table);
    }
    row_table_release(&table);
    return good;
}

/* --- Reading ----------------------------------------------------------------------- */

static bool copy(char *to, size_t room, const json_t *row, const char *name)
{
    const char *text = text_in(row, name);

    to[0] = '\0';
    text_add_word(to, room, "", text, room - 1);
    return text != NULL && strcmp(to, text) == 0;
}

/* NULL, or what is wrong with a row, of which *to is filled. */
static const char *read_row(const json_t *row, struct limit *to)
{
    struct row_id *id = &to->id;
    const json_t *most = json_object_get(row, "at_most");
    const json_t *least = json_object_get(row, "at_least");
    const json_t *bound = least != NULL ? least : most;

    if (!copy(id->benchmark, sizeof id->benchmark, row, "benchmark") ||
        !copy(id->place, sizeof id->place, row, "placement") ||
        !copy(id->key, sizeof id->key, row, "row") ||
        !copy(id->unit, sizeof id->unit, row, "unit"))
        return "lacks benchmark, placement, row or unit";
    if ((most == NULL) == (least == NULL) || !json_is_number(bound) ||
        !(json_number_value(bound) > 0 && json_number_value(bound) < 1e18))
        return "needs either at_most or at_least, above 0";
    if ((strcmp(id->unit, "us") == 0 && least != NULL) ||
        (strcmp(id->unit, "MB/s") == 0 && least == NULL))
        return "needs at_most for a time in us, at_least for MB/s";
    /* A key begins with the size if there is one. */
    id->bytes = isdigit((unsigned char)id->key[0]) ? strtod(id->key, NULL) : -1;
    to->at_least = least != NULL;
    to->figure = json_number_value(bound);
    return NULL;
}

bool limits_read(struct limits *l, const char *path, char why[WHY])
{
    json_t *root = result_json_read(path, why), *rows, *row;
    const char *wrong = NULL;
    size_t i, number = 0; /* of the row that is wrong, from 1 */
    bool good;

    *l = (struct limits){ .file = path };
    if (root == NULL)
        return false;
    rows = json_object_get(root, "rows");
    l->row = given_memory(calloc(json_array_size(rows) + 1, sizeof *l->row));
    if (whole_in(root, "alidade_limits") != FORM)
        wrong = "is not a limits file";
    else if (json_array_size(rows) == 0)
        wrong = "has no rows, and so no limits";
    json_array_foreach(rows, i, row)
    {
        if (wrong == NULL &&
            (wrong = read_row(row, &l->row[l->rows++])) != NULL)
            number = i + 1;
    }
    if (wrong == NULL)
        good = conditions_read(&l->conditions,
                               json_object_get(root, "measured_as"), path, why);
    else if (number == 0)
        good = refuse(why, "%s: %s", path, wrong);
    else
        good = refuse(why, "%s: row %zu %s", path, number, wrong);
    json_decref(root);
    if (!good)
        limits_release(l);
    return good;
}

void limits_release(struct limits *l)
{
    variant_release(&l->conditions);
    free(l->row);
    *l = (struct limits){ .rows = 0 };
}
