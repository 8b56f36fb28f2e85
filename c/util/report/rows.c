/* SPDX-License-Identifier: BSD-3-Clause */
#include "rows.h"

#include <stdlib.h>

#include "bench.h"
#include "job/world.h"
#include "result.h"

const char row_unasked[] = "";

void rows_add(struct rows *rows, const struct row *row)
{
    if (rows->n == rows->room) {
        const int room = rows->room > 0 ? 2 * rows->room : 64;
        struct row *more = realloc(rows->row, (size_t)room * sizeof *more);

        if (more == NULL)
            world_no_memory("the list of rows");
        rows->row = more;
        rows->room = room;
    }
    rows->row[rows->n++] = *row;
}

void rows_complete(struct rows *rows)
{
    rows->result = calloc((size_t)rows->n + 1, sizeof *rows->result);
    if (rows->result == NULL)
        world_no_memory("the results of rows");
    for (int i = 0; i < rows->n; i++)
        rows->result[i].row = &rows->row[i];
}

void rows_release(struct rows *rows)
{
    free(rows->row);
    free(rows->absent);
    free(rows->result);
    *rows = (struct rows){ .row = NULL };
}

size_t rows_largest(const struct rows *rows)
{
    size_t largest = 0;

    for (int i = 0; i < rows->n; i++)
        if (rows->row[i].bytes > largest)
            largest = rows->row[i].bytes;
    return largest;
}

void rows_add_up(const struct rows *rows, struct verified *sum)
{
    for (int i = 0; i < rows->n; i++) {
        sum->checked += rows->result[i].verified.checked;
        sum->wrong += rows->result[i].verified.wrong;
    }
}

int rows_block_end(const struct rows *rows, int first)
{
    int end = first;

    while (end < rows->n && row_same_block(&rows->row[end], &rows->row[first]))
        end++;
    return end;
}

/* What stands above its block. */
static void name_block(FILE *to, const struct context *c, const struct row *row)
{
    const struct parameter *p = bench_plan(c->bench, c->settings).parameter;
    const char *name = c->bench->operations[row->operation].name;

    if (c->settings->ntypes > 1)
        fprintf(to, " datatype=%s;", element_name(row->element));
    if (name != NULL)
        fprintf(to, " operation=%s;", name);
    if (p->name != NULL)
        fprintf(to, " %s=%ld;", p->key, row->parameter);
}

void rows_name(FILE *to, const struct context *c, const struct row *row, int n)
{
    const bool by_ranks = c->bench->parameter.kind == PARAMETER_RANKS;

    for (int i = 0; i < n; i++) {
        const bool begins = i == 0 || !row_same_block(&row[i], &row[i - 1]);

        if (begins)
            name_block(to, c, &row[i]);
        if (by_ranks)
            fprintf(to, "%s%d", begins ? " ranks=" : ",", row[i].ranks);
        else if (bench_is_sized(c->bench) &&
                 (begins || row[i].bytes != row[i - 1].bytes)) /* -V: often */
            fprintf(to, "%s%zu", begins ? " size=" : ",", row[i].bytes);
        if (i + 1 == n || !row_same_block(&row[i], &row[i + 1]))
            fputc(';', to);
    }
}
