/* SPDX-License-Identifier: BSD-3-Clause */
#include "plot.h"

#include <math.h>
#include <string.h>

#include "chart.h"

static bool is_first_of_level(const struct row_table *t, size_t first, size_t i)
{
    for (size_t k = first; k < i; k++)
        if (strcmp(row_id_level(&t->row[k].id), row_id_level(&t->row[i].id)) ==
            0)
            return false;
    return true;
}

/* The point of a row: its value, or its ratio in the comparison.  y = 0: it has none. */
static struct chart_point point_of(const struct table_row *row, int variant,
                                   const struct comparison *c)
{
    const struct table_cell *cell = &row->cell[variant];
    const struct comparison_row *compared =
        c != NULL ? comparison_row_of(c, &row->id) : NULL;
    struct chart_point p = { .x = row->id.bytes };

    if (compared != NULL) {
        const struct time_ratio *r = &compared->ratio;

        p.y = r->value;
        p.low = r->has_interval ? r->low : r->value;
        p.high = r->has_interval ? r->high : r->value;
    } else if (c == NULL && cell->runs > 0 && cell->low > 0) {
        p.y = cell->figure;
        p.low = cell->low;
        p.high = cell->high;
    }
    return p;
}

/* Add a curve for each level of the rows from first to end, called by the name.  The levels
   differ by their dashes. */
static void add_curves(struct chart *chart, const struct row_table *t,
                       size_t first, size_t end, const char *name, int color,
                       int variant, const struct comparison *c)
{
    char title[CHART_NAME + 2];
    bool one = true;
    int levels = 0;

    for (size_t i = first; i < end; i++)
        one = one && !(i > first && is_first_of_level(t, first, i));
    for (size_t i = first; i < end; i++) {
        if (!is_first_of_level(t, first, i))
            continue;
        snprintf(title, sizeof title, "%s%s%s", name, one ? "" : ": ",
                 one ? "" : row_id_level(&t->row[i].id));
        if (!chart_curve(chart, title, color, levels++))
            return;
        for (size_t k = i; k < end; k++) {
            const struct chart_point p = point_of(&t->row[k], variant, c);

            if (strcmp(row_id_level(&t->row[k].id),
                       row_id_level(&t->row[i].id)) == 0 &&
                p.x > 0 && p.y > 0)
                chart_add(chart, p);
        }
    }
}

void plot_curves(FILE *page, const struct row_table *t, size_t first,
                 size_t end)
{
    char about[CHART_NAME];
    struct chart chart = { .about = about,
                           .unit = t->row[first].id.unit,
                           .joined = true };

    snprintf(about, sizeof about, "%s (%s) by size, and the range of the runs:",
             t->row[first].id.benchmark, chart.unit);
    for (int k = 0; k < t->variants; k++)
        add_curves(&chart, t, first, end, t->variant[k].name, k, k, NULL);
    chart_print(page, &chart);
}

void plot_ratios(FILE *page, const struct row_table *t,
                 const struct comparison *c)
{
    struct chart chart = { .about = "Ratio by size, its 95% interval, and the "
                                    "margin in grey:",
                           .unit = "",
                           .joined = true,
                           .low = 1 / (1 + c->margin),
                           .high = 1 + c->margin };
    int color = 0;

    for (size_t i = 0, end; i < t->rows; i = end) {
        char name[CHART_NAME];
        const struct row_id *id = &t->row[i].id;
        const bool alone =
            row_table_next_benchmark(t, i) == (end = row_table_next(t, i)) &&
            (i == 0 || strcmp(t->row[i - 1].id.benchmark, id->benchmark) != 0);

        snprintf(name, sizeof name, alone ? "%s" : "%s (%s)", id->benchmark,
                 id->place);
        add_curves(&chart, t, i, end, name, color++, 0, c);
    }
    chart_print(page, &chart);
}

void plot_timeline(FILE *page, const struct timeline *t,
                   const struct variant *variant)
{
    char about[CHART_NAME];
    struct chart chart = { .about = about, .unit = "" };
    double last = 0, unit = 1;

    for (size_t i = 0; i < t->n; i++)
        last = fmax(last, t->run[i].seconds);
    chart.x_unit = "s";
    if (last >= 180) {
        unit = last < 3 * 3600 ? 60 : 3600;
        chart.x_unit = last < 3 * 3600 ? "minutes" : "hours";
    }
    snprintf(about, sizeof about,
             "Time of a run relative to a typical one, by time since the "
             "first run (%s):",
             chart.x_unit);
    for (int k = 0; k < t->variants; k++) {
        chart_curve(&chart, variant[k].name, k, 0);
        for (size_t i = 0; i < t->n; i++)
            if (t->run[i].variant == k)
                chart_add(&chart, (struct chart_point){
                                      t->run[i].seconds / unit, t->run[i].ratio,
                                      t->run[i].ratio, t->run[i].ratio });
    }
    chart_print(page, &chart);
}
