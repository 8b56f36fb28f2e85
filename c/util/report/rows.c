/* SPDX-License-Identifier: BSD-3-Clause */
#include "rows.h"

#include <stdlib.h>

#include "job/world.h"

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

void rows_release(struct rows *rows)
{
    free(rows->row);
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

int rows_by_parameter(const struct rows *rows, const struct row *like,
                      const struct row *row[PARAMETER_MAX])
{
    int n = 0;

    for (int i = 0; i < rows->n && n < PARAMETER_MAX; i++) {
        const struct row *next = &rows->row[i];
        int at = n;

        if (next->element != like->element || next->bytes != like->bytes ||
            next->shown <= 0)
            continue;
        for (; at > 0 && row[at - 1]->parameter > next->parameter; at--)
            row[at] = row[at - 1];
        row[at] = next;
        n++;
    }
    return n;
}
