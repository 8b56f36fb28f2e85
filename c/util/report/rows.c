/* SPDX-License-Identifier: BSD-3-Clause */
#include "rows.h"

#include <stdlib.h>

#include "job/world.h"
#include "result.h"

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
