/* SPDX-License-Identifier: BSD-3-Clause */
#include "record.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "record_json.h"

bool record_open(struct record *record, const struct bench *b,
                 const struct settings *s, char *why, size_t room)
{
    *record = (struct record){ .bench = b, .settings = s };
    if (s->json != NULL && !record_json_open(record, s->json)) {
        snprintf(why, room, "--json %s: %s", s->json,
                 errno == ENOSYS ? "this build has no JSON: configure found no "
                                   "jansson (--csv works)"
                                 : strerror(errno));
        return false;
    }
    if (s->csv != NULL)
        record->csv = fopen(s->csv, "a"); /* emptied when the run begins */
    if (s->csv != NULL && record->csv == NULL) {
        snprintf(why, room, "--csv %s: %s", s->csv, strerror(errno));
        if (record->root != NULL)
            record_json_finish(record, EXIT_USAGE, false); /* leaves nothing */
        return false;
    }
    return true;
}

/* Columns of CSV before those of the table; the last only where a program has
   several operations or levels. */
enum { FIXED = 8 };

static int fixed_of(const struct bench *b)
{
    return b->operations[0].name != NULL || b->parameter.name != NULL
               ? FIXED
               : FIXED - 1;
}

void record_begin(struct record *record, const struct context *c,
                  const struct report_table *table)
{
    struct column column[FIXED + REPORT_COLUMNS] = {
        { "benchmark", "", 0 }, { "ranks", "", 0 },    { "nodes", "", 0 },
        { "window", "", 0 },    { "bytes", "", 0 },    { "count", "", 0 },
        { "datatype", "", 0 },  { "operation", "", 0 }
    };
    const struct parameter *parameter =
        bench_parameter(record->bench, record->settings);
    const int fixed = fixed_of(record->bench);

    if (parameter->name != NULL)
        column[FIXED - 1].key = parameter->key;
    if (record->root != NULL)
        record_json_begin(record, c);
    memcpy(column + fixed, table->column,
           (size_t)table->n * sizeof *table->column);
    if (record->csv != NULL && ftruncate(fileno(record->csv), 0) == 0)
        table_csv_heading(record->csv, column, fixed + table->n);
}

static struct cell count_cell(size_t count)
{
    return (struct cell){ .kind = CELL_COUNT, .count = count };
}

static struct cell word_cell(const char *word)
{
    return (struct cell){ .kind = CELL_WORD, .word = word };
}

void record_row(struct record *record, const struct context *c,
                const struct report_table *table, const struct result *result,
                const struct cell *cells)
{
    const bool sized = bench_is_sized(record->bench);
    struct cell cell[FIXED + REPORT_COLUMNS] = {
        word_cell(record->bench->name),
        count_cell((size_t)c->run->nranks),
        count_cell((size_t)result->nodes),
        count_cell((size_t)c->run->window),
        sized ? count_cell(result->bytes) : word_cell(""),
        sized ? count_cell(result->count) : word_cell(""),
        word_cell(sized ? element_name(result->type) : ""),
        result->operation != NULL ? word_cell(result->operation)
                                  : count_cell((size_t)result->parameter),
    };
    const int fixed = fixed_of(record->bench);

    if (record->root != NULL)
        record_json_row(record, c, table, result, cells);
    memcpy(cell + fixed, cells, (size_t)table->n * sizeof *cells);
    if (record->csv != NULL)
        table_csv_row(record->csv, cell, fixed + table->n);
}

void record_jump(struct record *record, const struct jump *jump,
                 const struct row *row, const char *operation)
{
    if (record->root != NULL)
        record_json_jump(record, jump, row, operation);
}

void record_after(struct record *record, const struct context *c,
                  const struct rows *rows)
{
    const struct family *family = c->bench->family;

    if (record->root != NULL && family != NULL && family->record != NULL)
        family->record(c, rows, &(struct fields){ record->root });
}

/* False: not all of it was written. */
static bool close_file(FILE *file)
{
    const bool good = !ferror(file);

    return fclose(file) == 0 && good;
}

bool record_finish(struct record *record, enum exit_code code, bool complete,
                   char *why, size_t room)
{
    bool good = true;

    if (record->root != NULL && !record_json_finish(record, code, complete)) {
        snprintf(why, room, "--json %s: %s", record->settings->json,
                 strerror(errno));
        good = false;
    }
    if (record->csv != NULL && !close_file(record->csv)) {
        if (good)
            snprintf(why, room, "--csv %s: %s", record->settings->csv,
                     strerror(errno));
        good = false;
    }
    return good;
}
