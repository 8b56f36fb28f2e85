/* SPDX-License-Identifier: BSD-3-Clause */
#include "run_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool row_id_same_table(const struct row_id *a, const struct row_id *b)
{
    return strcmp(a->benchmark, b->benchmark) == 0 &&
           strcmp(a->place, b->place) == 0;
}

bool row_id_equal(const struct row_id *a, const struct row_id *b)
{
    return row_id_same_table(a, b) && strcmp(a->key, b->key) == 0;
}

int row_id_order(const void *a, const void *b)
{
    const struct row_id *x = a, *y = b;
    int order = strcmp(x->benchmark, y->benchmark);

    if (order == 0)
        order = strcmp(x->place, y->place);
    if (order == 0 && x->bytes != y->bytes)
        order = x->bytes > y->bytes ? 1 : -1;
    if (order == 0)
        order = strverscmp(x->key, y->key); /* buffers=2 before 16 */
    return order;
}

static int by_row(const void *a, const void *b)
{
    const struct run_row *x = a, *y = b;
    int order = row_id_order(&x->id, &y->id);

    if (order == 0)
        order = x->variant - y->variant;
    return order != 0 ? order : (x->order > y->order) - (x->order < y->order);
}

/* If the number of ranks may differ, rows of all ranks become one row; rows of
   some ranks keep their number. */
static void forget_ranks(struct run_row *r)
{
    const json_t *all = json_object_get(r->file->environment, "ranks");
    char *ranks = strstr(r->id.key, "ranks=");

    if (ranks != NULL && json_equal(json_object_get(r->row, "ranks"), all)) {
        *ranks = '\0';
        text_add(r->id.key, sizeof r->id.key, "ranks=all");
    }
}

static size_t add_rows(struct run_row *to, size_t n,
                       const struct result_file *f, int variant,
                       const struct may_differ *may, bool counting)
{
    const json_t *row;
    size_t i;

    json_array_foreach(f->rows, i, row)
    {
        const char *unit = text_in(row, "unit");
        const json_t *bytes = json_object_get(row, "bytes");
        const char *fault = result_row_fault(row);
        struct run_row *r = &to[n];

        if ((fault == NULL) != counting ||
            (fault != NULL && strcmp(fault, RESULT_ROW_NONE) == 0))
            continue;
        *r = (struct run_row){ .file = f,
                               .row = row,
                               .fault = fault,
                               .id.bytes =
                                   json_is_integer(bytes)
                                       ? (double)json_integer_value(bytes)
                                       : -1,
                               .variant = variant,
                               .order = n++ };
        text_add(r->id.benchmark, sizeof r->id.benchmark, "%s", f->benchmark);
        comparable_place(f, may, r->id.place);
        result_row_key(row, r->id.key, sizeof r->id.key);
        text_add_word(r->id.unit, sizeof r->id.unit, "", unit,
                      sizeof r->id.unit - 1);
        if (field_may_differ(may, "environment.ranks"))
            forget_ranks(r);
    }
    return n;
}

static struct run_row *collect(const struct variant *variant, int n,
                               const struct may_differ *may, bool counting,
                               size_t *count)
{
    struct run_row *row;
    size_t most = 1;

    *count = 0;
    for (int k = 0; k < n; k++)
        for (size_t i = 0; i < variant[k].n; i++)
            most += json_array_size(variant[k].file[i].rows);
    row = given_memory(malloc(most * sizeof *row));
    for (int k = 0; k < n; k++)
        for (size_t i = 0; i < variant[k].n; i++)
            *count =
                add_rows(row, *count, &variant[k].file[i], k, may, counting);
    qsort(row, *count, sizeof *row, by_row);
    return row;
}

struct run_row *run_rows_of(const struct variant *variant, int n,
                            const struct may_differ *may, size_t *count)
{
    return collect(variant, n, may, true, count);
}

struct run_row *run_rows_left_out(const struct variant *variant, int n,
                                  const struct may_differ *may, size_t *count)
{
    return collect(variant, n, may, false, count);
}

size_t run_rows_end(const struct run_row *row, size_t i, size_t count)
{
    size_t end = i + 1;

    while (end < count && row_id_equal(&row[end].id, &row[i].id))
        end++;
    return end;
}

size_t run_rows_end_of_variant(const struct run_row *row, size_t i,
                               size_t count)
{
    const size_t last = run_rows_end(row, i, count);
    size_t end = i + 1;

    while (end < last && row[end].variant == row[i].variant)
        end++;
    return end;
}
