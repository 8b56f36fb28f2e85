/* SPDX-License-Identifier: BSD-3-Clause */
#include "csv.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "bench.h"
#include "fresh_file.h"
#include "job/progress.h"
#include "job/world.h"
#include "record.h"
#include "record_row.h"
#include "report/report.h"
#include "report/result.h"

/* Columns before those of the table: these and, where a program has several of them, its
   operation and its parameter. */
static const char *const fixed[] = { "benchmark", "ranks", "nodes",   "window",
                                     "bytes",     "count", "datatype" };
enum { FIXED = sizeof fixed / sizeof *fixed, MORE = 2 };

static bool has_operations(const struct bench *b)
{
    return b->operations[0].name != NULL;
}

static struct fresh_file file; /* from the first row on */
static bool is_ready, has_begun;

/* RFC 4180; words never hold commas or quotes here. */
static void write_heading(FILE *to, const struct column *columns, int n)
{
    for (int i = 0; i < n; i++)
        fprintf(to, "%s%s", i > 0 ? "," : "", columns[i].key);
    fputs("\r\n", to);
}

static void write_row(FILE *to, const struct cell *cells, int n)
{
    for (int i = 0; i < n; i++) {
        if (i > 0)
            fputc(',', to);
        /* What is no number is an empty field, as null in JSON. */
        if (cells[i].kind == CELL_REAL && !isfinite(cells[i].real))
            continue;
        if (cells[i].kind == CELL_REAL)
            fprintf(to, "%.9g", cells[i].real);
        else if (cells[i].kind == CELL_COUNT)
            fprintf(to, "%zu", cells[i].count);
        else if (strcmp(cells[i].word, "-") != 0)
            fputs(cells[i].word, to);
    }
    fputs("\r\n", to);
}

static void begin_file(const struct context *c)
{
    const struct report_table *table = c->table;
    const struct parameter *p = bench_plan(c->bench, c->settings).parameter;
    struct column column[FIXED + MORE + REPORT_COLUMNS];
    int n = 0;

    has_begun = true;
    for (; n < FIXED; n++)
        column[n].key = fixed[n];
    if (has_operations(c->bench))
        column[n++].key = "operation";
    if (p->name != NULL)
        column[n++].key = p->key;
    memcpy(column + n, table->column, (size_t)table->n * sizeof *column);
    progress_phase("opening the file of --csv"); /* a pipe waits for a reader */
    if (fresh_file_begin(&file, record_asked(c->settings)->csv, FRESH_ROWS))
        write_heading(file.to, column, n + table->n);
    progress_phase("writing results");
}

static void measured(const struct context *c, const struct result *r)
{
    const struct report_table *const table = c->table;
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

    if (!is_ready)
        return;
    if (!has_begun)
        begin_file(c);
    if (file.to == NULL)
        return;
    if (has_operations(c->bench))
        cell[n++] = cell_word(operation != NULL ? operation : "");
    if (bench_plan(c->bench, c->settings).parameter->name != NULL)
        cell[n++] = cell_count((size_t)row->parameter);
    report_cells(table, r, cell + n);
    fresh_file_grow(&file);
    write_row(file.to, cell, n + table->n);
    fresh_file_flush(&file);
}

static enum exit_code begin(const struct context *c)
{
    (void)c;
    is_ready = has_begun = false;
    return EXIT_OK;
}

static enum exit_code ready(const struct context *c)
{
    is_ready = record_asked(c->settings)->csv != NULL && c->world->rank == 0;
    return EXIT_OK;
}

/* Of a run that was refused a file is written only if nothing is lost. */
static enum exit_code end(const struct context *c, const struct ending *ending)
{
    const char *const path = record_asked(c->settings)->csv;

    if (!is_ready || !(has_begun || ending->code == EXIT_OK ||
                       fresh_file_is_new(path) || fresh_file_is_stream(path)))
        return ending->code;
    if (!has_begun)
        begin_file(c);
    return fresh_file_end(&file, true)
               ? ending->code
               : message_print(E21_NOT_WRITTEN, c->bench->name, "--csv %s: %s",
                               path, strerror(errno));
}

const struct watcher csv_watcher = {
    .begin = begin, .ready = ready, .measured = measured, .end = end
};
