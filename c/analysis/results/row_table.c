/* SPDX-License-Identifier: BSD-3-Clause */
#include "row_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stats/stats.h"

enum { WORD = 32 }; /* bytes of a reason */

const char ROW_MISSING[] = "missing";

/* --- Which row it is --------------------------------------------------------------- */

bool row_id_same_table(const struct row_id *a, const struct row_id *b)
{
    return strcmp(a->benchmark, b->benchmark) == 0 &&
           strcmp(a->place, b->place) == 0;
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

const char *row_id_level(const struct row_id *id)
{
    const char *blank = strchr(id->key, ' ');

    return id->bytes < 0 || blank == NULL ? id->key : blank + 1;
}

/* --- Rows of runs ------------------------------------------------------------------ */

/* By row and variant, in each what counts first. */
static int by_row(const void *a, const void *b)
{
    const struct run_row *x = a, *y = b;
    int order = row_id_order(&x->id, &y->id);

    if (order == 0)
        order = x->variant - y->variant;
    if (order == 0)
        order = (x->fault != NULL) - (y->fault != NULL);
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

static struct run_row run_row_of(const struct result_file *f, const json_t *row,
                                 const struct may_differ *may)
{
    const json_t *bytes = json_object_get(row, "bytes");
    struct run_row r = { .file = f,
                         .row = row,
                         .figure = result_row_figure(row),
                         .time = result_row_time(row),
                         .fault = result_row_fault(row),
                         .id.bytes = json_is_integer(bytes)
                                         ? (double)json_integer_value(bytes)
                                         : -1 };

    text_add(r.id.benchmark, sizeof r.id.benchmark, "%s", f->benchmark);
    comparable_place(f, may, r.id.place);
    result_row_key(row, r.id.key, sizeof r.id.key);
    text_add_word(r.id.unit, sizeof r.id.unit, "", text_in(row, "unit"),
                  sizeof r.id.unit - 1);
    if (field_may_differ(may, "environment.ranks"))
        forget_ranks(&r);
    return r;
}

/* All rows that are meant to be compared, sorted; returns how many. */
static size_t collect(struct row_table *t, const struct may_differ *may)
{
    size_t most = 1, n = 0, i;
    const json_t *row;

    for (int k = 0; k < t->variants; k++)
        for (size_t f = 0; f < t->variant[k].n; f++)
            most += json_array_size(t->variant[k].file[f].rows);
    t->run = given_memory(malloc(most * sizeof *t->run));
    for (int k = 0; k < t->variants; k++)
        for (size_t f = 0; f < t->variant[k].n; f++)
            json_array_foreach(t->variant[k].file[f].rows, i, row)
            {
                const char *fault = result_row_fault(row);

                if (fault != NULL && strcmp(fault, RESULT_ROW_NONE) == 0)
                    continue;
                t->run[n] = run_row_of(&t->variant[k].file[f], row, may);
                t->run[n].variant = k;
                t->run[n].order = n;
                n++;
            }
    qsort(t->run, n, sizeof *t->run, by_row);
    return n;
}

/* --- Cells ------------------------------------------------------------------------- */

static const json_t *reasons_of(const struct run_row *run)
{
    return json_object_get(run->row, "doubtful");
}

/* How many of the runs give this reason? */
static size_t runs_with(const struct table_cell *c, const char *reason)
{
    size_t with = 0, k;
    const json_t *other;

    for (size_t i = 0; i < c->runs; i++)
        json_array_foreach(reasons_of(&c->run[i]), k, other)
        {
            const char *word = json_string_value(other);

            with += word != NULL && strcmp(word, reason) == 0;
        }
    return with;
}

/* The reason that most runs give, if half of them have one. */
static const char *doubtful_cell(const struct table_cell *c)
{
    const char *why = NULL;
    size_t doubtful = 0, most = 0, k;
    const json_t *reason;

    for (size_t i = 0; i < c->runs; i++) {
        doubtful += json_array_size(reasons_of(&c->run[i])) > 0;
        json_array_foreach(reasons_of(&c->run[i]), k, reason)
        {
            const char *word = json_string_value(reason);
            const size_t with = word != NULL ? runs_with(c, word) : 0;

            if (with > most) {
                most = with;
                why = word;
            }
        }
    }
    return 2 * doubtful >= c->runs ? why : NULL;
}

/* The cell of n rows of a variant; values is scratch space for them. */
static struct table_cell cell_of(const struct run_row *run, size_t n,
                                 double *values)
{
    struct table_cell cell = { .run = run, .fault = run->fault };
    struct stats stats;

    while (cell.runs < n && run[cell.runs].fault == NULL) {
        values[cell.runs] = run[cell.runs].figure;
        cell.runs++;
    }
    if (cell.runs == 0)
        return cell;
    stats = stats_of(values, cell.runs);
    cell.figure = stats.median;
    cell.low = stats.min;
    cell.high = stats.max;
    cell.doubtful = doubtful_cell(&cell);
    return cell;
}

/* Fill row from those of all runs that begin with run; returns how many they are. */
static size_t fill_row(const struct row_table *t, struct table_row *row,
                       const struct run_row *run, size_t left, double *values)
{
    size_t i = 0;

    row->id = run->id;
    for (int k = 0; k < t->variants; k++) {
        const size_t first = i;

        while (i < left && run[i].variant == k &&
               row_id_order(&run[i].id, &row->id) == 0)
            i++;
        row->cell[k] = i > first ? cell_of(run + first, i - first, values)
                                 : (struct table_cell){ .fault = ROW_MISSING };
    }
    return i;
}

static bool counts(const struct table_row *row, int variants)
{
    for (int k = 0; k < variants; k++)
        if (row->cell[k].runs > 0)
            return true;
    return false;
}

void row_table_make(struct row_table *t, const struct variant *variant, int n,
                    const struct may_differ *may)
{
    struct table_row *out;
    size_t count, outs = 0;
    double *values;

    *t = (struct row_table){ .variant = variant, .variants = n };
    count = collect(t, may);
    values = given_memory(malloc((count + 1) * sizeof *values));
    for (size_t i = 0; i < count; i++)
        t->all += i == 0 || row_id_order(&t->run[i].id, &t->run[i - 1].id) != 0;
    t->row = given_memory(calloc(t->all + 1, sizeof *t->row));
    t->cell = given_memory(calloc(t->all * (size_t)n + 1, sizeof *t->cell));
    out = given_memory(calloc(t->all + 1, sizeof *out));
    for (size_t i = 0, k = 0; i < count; k++) {
        struct table_row row = { .cell = t->cell + k * (size_t)n };

        i += fill_row(t, &row, t->run + i, count - i, values);
        if (counts(&row, n))
            t->row[t->rows++] = row;
        else
            out[outs++] = row;
    }
    memcpy(t->row + t->rows, out, outs * sizeof *out);
    free(values);
    free(out);
}

void row_table_release(struct row_table *t)
{
    free(t->row);
    free(t->run);
    free(t->cell);
    *t = (struct row_table){ .rows = 0 };
}

static int by_id(const void *id, const void *row)
{
    return row_id_order(id, &((const struct table_row *)row)->id);
}

const struct table_row *row_table_find(const struct row_table *t,
                                       const struct row_id *id)
{
    const struct table_row *row =
        t->rows > 0 ? bsearch(id, t->row, t->rows, sizeof *t->row, by_id)
                    : NULL;

    return row != NULL && strcmp(row->id.unit, id->unit) == 0 ? row : NULL;
}

size_t row_table_next(const struct row_table *t, size_t i)
{
    size_t end = i + 1;

    while (end < t->rows && row_id_same_table(&t->row[end].id, &t->row[i].id))
        end++;
    return end;
}

size_t row_table_next_benchmark(const struct row_table *t, size_t i)
{
    const char *benchmark = t->row[i].id.benchmark;

    do
        i++;
    while (i < t->rows && strcmp(t->row[i].id.benchmark, benchmark) == 0);
    return i;
}

/* --- Doubtful rows ----------------------------------------------------------------- */

void doubtful_add(struct doubtful *d, const struct row_id *id, const char *why)
{
    d->rows++;
    if (why == NULL)
        return;
    if (d->n < DOUBTFUL_NAMED)
        d->first[d->n] = *id;
    d->n++;
    if (strstr(d->why, why) == NULL)
        text_add_word(d->why, sizeof d->why, ", ", why, WORD);
}

struct doubtful doubtful_rows(const struct row_table *t, int variant)
{
    struct doubtful all = { .rows = 0 };

    for (size_t i = 0; i < t->rows; i++)
        if (t->row[i].cell[variant].runs > 0)
            doubtful_add(&all, &t->row[i].id, t->row[i].cell[variant].doubtful);
    return all;
}

const char *doubtful_words(const struct doubtful *d, const char *of,
                           char text[WHY])
{
    text[0] = '\0';
    if (d->n == 0)
        return text;
    text_add(text, WHY,
             "%zu of %zu rows of %s say%s little of the machine (%s)", d->n,
             d->rows, of, d->n == 1 ? "s" : "", d->why);
    for (size_t i = 0; i < d->n && i < DOUBTFUL_NAMED; i++)
        text_add(text, WHY, "%s %s %s", i == 0 ? ":" : ",",
                 d->first[i].benchmark, d->first[i].key);
    if (d->n > DOUBTFUL_NAMED)
        text_add(text, WHY, ", and %zu more", d->n - DOUBTFUL_NAMED);
    return text;
}
