/* SPDX-License-Identifier: BSD-3-Clause */
#include "csv.h"

#include <string.h>

#include "bench.h"
#include "job/progress.h"
#include "record_row.h"

/* Columns before those of the table: these and, where a program has several of them, its
   operation and its parameter. */
static const char *const fixed[] = { "benchmark", "ranks", "nodes",   "window",
                                     "bytes",     "count", "datatype" };
enum { FIXED = sizeof fixed / sizeof *fixed, MORE = 2 };

static bool has_operations(const struct bench *b)
{
    return b->operations[0].name != NULL;
}

static void begin(struct output *o)
{
    const struct context *c = o->context;
    const struct report_table *table = &o->table;
    const struct parameter *p = bench_plan(c->bench, c->settings).parameter;
    struct column column[FIXED + MORE + REPORT_COLUMNS];
    int n = 0;

    for (; n < FIXED; n++)
        column[n].key = fixed[n];
    if (has_operations(c->bench))
        column[n++].key = "operation";
    if (p->name != NULL)
        column[n++].key = p->key;
    memcpy(column + n, table->column, (size_t)table->n * sizeof *column);
    progress_phase("opening the file of --csv"); /* a pipe waits for a reader */
    if (fresh_file_begin(&o->csv, c->settings->csv, FRESH_ROWS))
        table_csv_heading(o->csv.to, column, n + table->n);
    progress_phase("writing results");
}

static void add_row(struct output *o, const struct result *r,
                    const struct cell *cells)
{
    const struct context *c = o->context;
    const bool sized = bench_is_sized(c->bench);
    const struct row *row = r->row;
    const char *operation = record_operation(c, row);
    int n = FIXED;
    struct cell cell[FIXED + MORE + REPORT_COLUMNS] = {
        cell_word(c->bench->name),
        cell_count((size_t)c->run->nranks),
        cell_count((size_t)r->nodes),
        cell_count((size_t)c->run->window),
        sized ? cell_count(row->bytes) : cell_word(""),
        sized ? cell_count(row->bytes / element_size(row->element))
              : cell_word(""),
        cell_word(sized ? element_name(row->element) : ""),
    };

    if (o->csv.to == NULL)
        return;
    if (has_operations(c->bench))
        cell[n++] = cell_word(operation != NULL ? operation : "");
    if (bench_plan(c->bench, c->settings).parameter->name != NULL)
        cell[n++] = cell_count((size_t)row->parameter);
    memcpy(cell + n, cells, (size_t)o->table.n * sizeof *cells);
    fresh_file_grow(&o->csv);
    table_csv_row(o->csv.to, cell, n + o->table.n);
    fresh_file_flush(&o->csv);
}

static bool end(struct output *o, enum exit_code code, bool complete)
{
    (void)code;
    (void)complete;
    if (o->rows == 0)
        begin(o);
    return fresh_file_end(&o->csv, true);
}

const struct sink csv_sink = { "--csv", offsetof(struct settings, csv), begin,
                               add_row, end };
