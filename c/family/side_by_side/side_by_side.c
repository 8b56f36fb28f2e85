/* SPDX-License-Identifier: BSD-3-Clause */
#include "side_by_side.h"

#include "bench.h"

enum { SIZE_COLUMN = 14, COLUMN = 14 };

const struct result *result_beside(const struct rows *rows, const struct row *like, int operation)
{
    for (int i = 0; i < rows->n; i++)
        if (rows->row[i].operation == operation && rows->row[i].element == like->element &&
            rows->row[i].parameter == like->parameter && rows->row[i].bytes == like->bytes &&
            result_mean(&rows->result[i]) > 0)
            return &rows->result[i];
    return NULL;
}

int rows_by_parameter(const struct rows *rows, const struct row *like,
                      const struct result *result[PARAMETER_MAX])
{
    int n = 0;

    for (int i = 0; i < rows->n && n < PARAMETER_MAX; i++) {
        const struct row *next = &rows->row[i];
        int at = n;

        if (next->operation != like->operation || next->element != like->element ||
            next->bytes != like->bytes || result_mean(&rows->result[i]) <= 0)
            continue;
        for (; at > 0 && result[at - 1]->row->parameter > next->parameter; at--)
            result[at] = result[at - 1];
        result[at] = &rows->result[i];
        n++;
    }
    return n;
}

/* Whether a row of this operation was measured: others have no column. */
static bool has_column(const struct rows *rows, int operation)
{
    for (int i = 0; i < rows->n; i++)
        if (rows->row[i].operation == operation && result_mean(&rows->result[i]) > 0)
            return true;
    return false;
}

static void heading(FILE *to, const struct bench *b, const struct rows *rows, int from)
{
    fprintf(to, "# %-*s", SIZE_COLUMN, "Size");
    for (int o = from; o < bench_operations(b); o++)
        if (has_column(rows, o))
            fprintf(to, "%*s", COLUMN, b->operations[o].name);
    fputc('\n', to);
}

/* Figures of the operations, or how much greater they are than the first. */
static void table(FILE *to, const struct bench *b, const struct rows *rows, long parameter,
                  bool difference)
{
    const int one = rows->row[0].operation;

    heading(to, b, rows, one + difference);
    for (int i = 0; i < rows->n && rows->row[i].operation == one; i++) {
        const struct result *first = result_beside(rows, &rows->row[i], one);

        if (first == NULL || first->row->parameter != parameter)
            continue;
        fprintf(to, "# %-*zu", SIZE_COLUMN, first->row->bytes);
        for (int o = one + difference; o < bench_operations(b); o++) {
            const struct result *r = result_beside(rows, first->row, o);

            if (!has_column(rows, o))
                continue;
            if (r == NULL)
                fprintf(to, "%*s", COLUMN, "-");
            else
                fprintf(to, "%*.2f", COLUMN,
                        result_mean(r) - (difference ? result_mean(first) : 0));
        }
        fputc('\n', to);
    }
}

void side_by_side(FILE *to, const struct context *c, const struct rows *rows, long parameter)
{
    fprintf(to, "\n# Side by side, in %s:\n", c->bench->report->unit);
    table(to, c->bench, rows, parameter, false);
    fprintf(to, "# Difference from %s:\n", c->bench->operations[rows->row[0].operation].name);
    table(to, c->bench, rows, parameter, true);
}
