/* SPDX-License-Identifier: BSD-3-Clause */
#include "comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "comparison_classes.h"
#include "comparison_notes.h"

/* The ratio of a row of the table that both variants have. */
static void add_row(struct comparison *c, const struct table_row *of)
{
    struct comparison_row *row = &c->row[c->rows];
    double *time;
    size_t n = 0;

    row->id = &of->id;
    for (int k = 0; k < 2; k++) {
        row->cell[k] = &of->cell[c->column[k]];
        if (row->cell[k]->runs == 0)
            return;
    }
    time = given_memory(
        malloc((row->cell[0]->runs + row->cell[1]->runs) * sizeof *time));
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < row->cell[k]->runs; i++)
            time[n++] = row->cell[k]->run[i].time;
    row->ratio = time_ratio_of(time, row->cell[0]->runs,
                               time + row->cell[0]->runs, row->cell[1]->runs);
    c->rows++;
    free(time);
}

bool comparison_make(struct comparison *c, const struct row_table *t, int k,
                     const struct comparison_options *options, char why[WHY])
{
    *c = (struct comparison){ .table = t,
                              .column = { 0, k },
                              .variant = { &t->variant[0], &t->variant[k] },
                              .margin = options->margin,
                              .level = verdict_level(options->look),
                              .sizes = options->sizes,
                              .how = options };
    if (!comparable_variants(c->variant[0], c->variant[1], &options->may, why))
        return false;
    c->row = given_memory(malloc((t->rows + 1) * sizeof *c->row));
    for (size_t i = 0; i < t->rows; i++)
        add_row(c, &t->row[i]);
    comparison_classes_make(c);
    comparison_notes_make(c);
    if (c->rows > 0)
        return true;
    comparison_notes_refuse(c, why);
    comparison_release(c);
    return false;
}

void comparison_release(struct comparison *c)
{
    for (size_t i = 0; i < c->notes; i++)
        free(c->note[i].text);
    free(c->note);
    free(c->row);
    free(c->class);
    *c = (struct comparison){ .rows = 0 };
}

static int by_id(const void *id, const void *row)
{
    return row_id_order(id, ((const struct comparison_row *)row)->id);
}

const struct comparison_row *comparison_row_of(const struct comparison *c,
                                               const struct row_id *id)
{
    return c->rows > 0 ? bsearch(id, c->row, c->rows, sizeof *c->row, by_id)
                       : NULL;
}

const char *comparison_doubt(const struct comparison *c,
                             const struct comparison_row *row, char text[120])
{
    text[0] = '\0';
    for (int k = 0; k < 2; k++) {
        text_add_word(text, 120, ", ", row->cell[k]->doubtful, 32);
        if (row->cell[k]->doubtful != NULL)
            text_add_word(text, 120, " in ", c->variant[k]->name, 24);
    }
    return text;
}

const char *comparison_interval(const struct time_ratio *ratio, char text[48])
{
    if (ratio->has_interval)
        snprintf(text, 48, ratio->low < 0.01 ? "%.2g to %.3f" : "%.3f to %.3f",
                 ratio->low, ratio->high);
    else
        snprintf(text, 48, "%s", "-");
    return text;
}

int comparison_later(const struct comparison *c)
{
    double first[2] = { HUGE_VAL, HUGE_VAL }, last[2] = { 0, 0 };

    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < c->variant[k]->n; i++) {
            const double at = result_started(&c->variant[k]->file[i]);

            if (isnan(at))
                return -1;
            first[k] = fmin(first[k], at);
            last[k] = fmax(last[k], at);
        }
    if (c->variant[0]->n < 2 || c->variant[1]->n < 2)
        return -1; /* one run of each has some order */
    return first[1] > last[0] ? 1 : first[0] > last[1] ? 0 : -1;
}
