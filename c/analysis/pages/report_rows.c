/* SPDX-License-Identifier: BSD-3-Clause */
#include "report_rows.h"

#include <stdlib.h>
#include <string.h>

#include "stats/stats.h"
#include "text/page.h"

enum { TAILS = 3 };
static const struct {
    const char *name;
    double beyond; /* the share of the iterations that take longer */
} tails[TAILS] = { { "90", 0.1 }, { "99", 0.01 }, { "99.9", 0.001 } };

/* A percentile divided by the median, for one run; 0: unknown.  Where a sample is the
   mean of several iterations it says nothing of single ones, and with fewer than ten
   samples beyond it a few of them decide. */
static double tail_of_run(const json_t *row, int k)
{
    const json_t *iterations = json_object_get(row, "over_iterations");
    const double median = number_in(iterations, "median_us");
    const double tail =
        number_in(json_object_get(iterations, "percentiles_us"), tails[k].name);

    if (number_in(row, "stride") > 1 || !(median > 0) ||
        number_in(iterations, "n") * tails[k].beyond < 10 - 1e-6)
        return 0;
    return tail / median;
}

/* The median over runs; 0: unknown.  Runs that have this percentile may be unlike those that
   lack it. */
static double tail_of(const struct table_cell *cell, int k)
{
    double *value = given_memory(malloc((cell->runs + 1) * sizeof *value));
    double median = 0;
    size_t known = 0;

    for (size_t i = 0; i < cell->runs; i++) {
        value[known] = tail_of_run(cell->run[i].row, k);
        known += value[known] > 0;
    }
    if (known > 0 && known == cell->runs)
        median = stats_median(value, known);
    free(value);
    return median;
}

/* Did the iterations become slower or faster in most runs? */
static bool drifts(const struct table_cell *cell)
{
    size_t n = 0;

    for (size_t i = 0; i < cell->runs; i++)
        n += json_is_true(json_object_get(
            json_object_get(json_object_get(cell->run[i].row, "shape"),
                            "drift"),
            "drifts"));
    return 2 * n > cell->runs;
}

/* Does any row from first to end have a percentile of the variant? */
static bool has_tails(const struct row_table *t, size_t first, size_t end,
                      int variant)
{
    for (size_t i = first; i < end; i++)
        if (tail_of(&t->row[i].cell[variant], 0) > 0 ||
            drifts(&t->row[i].cell[variant]))
            return true;
    return false;
}

static void add_tails(struct document *d, const struct table_cell *cell)
{
    char text[120] = "";

    for (int k = 0; k < TAILS; k++) {
        const double tail = tail_of(cell, k);

        text_add(text, sizeof text, tail > 0 ? "%s%.*f" : "%s-",
                 k > 0 ? " / " : "", tail < 10 ? 2 : 0, tail);
    }
    document_cell(d, "%s", text);
    document_aside(d, drifts(cell) ? "drifts" : "");
}

/* A value, and next to it its range. */
static void add_range(struct document *d, double value, double low, double high)
{
    char text[PAGE_NUMBER];

    document_cell(d, "%s", page_number(text, value, (high - low) / 2));
    document_cell(d, "%s",
                  high > low ? page_range(text, value, low, high) : "");
}

/* NULL: there is no such row. */
static void add_figure(struct document *d, const struct table_cell *cell)
{
    if (cell == NULL || cell->runs == 0) {
        document_cell(d, "-");
        document_cell(d, "%s", "");
        return;
    }
    add_range(d, cell->figure, cell->low, cell->high);
    if (cell->doubtful != NULL)
        document_aside(d, cell->doubtful);
}

static void add_ratio(struct document *d, const struct comparison_row *row)
{
    const struct time_ratio *r = row != NULL ? &row->ratio : NULL;

    if (r == NULL) {
        document_cell(d, "-");
        document_cell(d, "%s", "");
    } else if (r->has_interval) {
        add_range(d, r->value, r->low, r->high);
    } else {
        add_range(d, r->value, r->value, r->value);
    }
}

static struct document_column column_of(int kind, const char *who,
                                        const char *what)
{
    struct document_column column = { .kind = kind };

    text_add(column.heading, sizeof column.heading, "%.*s%s%s",
             utf8_within(who, 24), who,
             who[0] != '\0' && what[0] != '\0' ? ", " : "", what);
    return column;
}

void report_rows(struct document *d, const struct report *r, size_t first,
                 size_t end)
{
    const struct row_table *t = r->table;
    struct document_column column[1 + 5 * VARIANTS];
    bool with_tails[VARIANTS];
    size_t n = 0;

    column[n++] = column_of(COLUMN_LEFT, "Row", "");
    for (int k = 0; k < t->variants; k++) {
        column[n++] = column_of(0, t->variant[k].name, t->row[first].id.unit);
        column[n++] = column_of(COLUMN_JOINED, "", "");
    }
    for (int k = 0; k < r->all.n; k++)
        if (r->all.with[k].rows > 0) {
            column[n++] = column_of(0, t->variant[k + 1].name, "ratio");
            column[n++] = column_of(COLUMN_JOINED, "", "");
        }
    for (int k = 0; k < t->variants; k++) {
        with_tails[k] = has_tails(t, first, end, k);
        if (with_tails[k])
            column[n++] = column_of(0, t->variant[k].name, "P90 / P99 / P99.9");
    }
    document_table(d, column, n);
    for (size_t i = first; i < end; i++) {
        document_cell(d, "%s", t->row[i].id.key);
        for (int k = 0; k < t->variants; k++)
            add_figure(d, &t->row[i].cell[k]);
        for (int k = 0; k < r->all.n; k++)
            if (r->all.with[k].rows > 0)
                add_ratio(d, comparison_row_of(&r->all.with[k], &t->row[i].id));
        for (int k = 0; k < t->variants; k++)
            if (with_tails[k])
                add_tails(d, &t->row[i].cell[k]);
    }
}

/* --- Places side by side ----------------------------------------------------------- */

enum { PLACES_MAX = 64 };

/* The first row of each place. */
struct places {
    size_t first[PLACES_MAX];
    int n;
};

/* The cell of the row with that key that begins or follows at first in its place. */
static const struct table_cell *
cell_with(const struct row_table *t, size_t first, const char *key, int variant)
{
    const size_t end = row_table_next(t, first);

    for (size_t i = first; i < end; i++)
        if (strcmp(t->row[i].id.key, key) == 0)
            return &t->row[i].cell[variant];
    return NULL;
}

/* The place behind what all places begin with, so that columns are narrow. */
static const char *own_part(const struct row_table *t, const struct places *p,
                            int k)
{
    const char *one = t->row[p->first[0]].id.place;
    size_t common = strlen(one), begin = 0;

    for (int i = 1; i < p->n; i++) {
        const char *other = t->row[p->first[i]].id.place;
        size_t alike = 0;

        while (alike < common && other[alike] == one[alike])
            alike++;
        common = alike;
    }
    for (size_t i = 0; i + 1 < common; i++)
        if (one[i] == ',' && one[i + 1] == ' ')
            begin = i + 2;
    return t->row[p->first[k]].id.place + begin;
}

/* Is row i the first with its key, from the row first on? */
static bool is_first_of_key(const struct row_table *t, size_t first, size_t i)
{
    for (size_t k = first; k < i; k++)
        if (strcmp(t->row[k].id.key, t->row[i].id.key) == 0)
            return false;
    return true;
}

static void add_places(struct document *d, const struct row_table *t,
                       const struct places *p, size_t end, int variant)
{
    struct document_column column[1 + 2 * PLACES_MAX];
    size_t n = 0;

    column[n++] = column_of(COLUMN_LEFT, t->variant[variant].name,
                            t->row[p->first[0]].id.unit);
    for (int k = 0; k < p->n; k++) {
        column[n++] = column_of(0, "", own_part(t, p, k));
        column[n++] = column_of(COLUMN_JOINED, "", "");
    }
    document_table(d, column, n);
    for (size_t i = p->first[0]; i < end; i++) {
        if (!is_first_of_key(t, p->first[0], i))
            continue;
        document_cell(d, "%s", t->row[i].id.key);
        for (int k = 0; k < p->n; k++)
            add_figure(d, cell_with(t, p->first[k], t->row[i].id.key, variant));
    }
}

void report_places(struct document *d, const struct row_table *t, size_t first,
                   size_t end)
{
    struct places places = { .n = 0 };

    for (size_t i = first; i < end && places.n < PLACES_MAX;
         i = row_table_next(t, i))
        places.first[places.n++] = i;
    if (places.n < 2)
        return;
    document_add(d, DOCUMENT_HEADING, "%s, by placement",
                 t->row[first].id.benchmark);
    for (int k = 0; k < t->variants; k++)
        add_places(d, t, &places, end, k);
}
