/* SPDX-License-Identifier: BSD-3-Clause */
#include "record.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "job/watchdog.h"
#include "record_environment.h"
#include "record_row.h"
#include "report/graph.h"

/* --- The JSON document ------------------------------------------------------- */

/* A line of the journal, if there is one. */
static void journal(struct record *record, const char *key, struct fields what)
{
    FILE *const to = record->journal.to;

    if (to == NULL)
        return;
    fprintf(to, "{\"%s\":", key);
    fields_write(what, to, false);
    fputs("}\n", to);
    fflush(to);
}

static void begin_document(struct record *record)
{
    const struct context *c = record->context;
    const struct fields root = record->root;
    struct fields command;
    char started[32];
    const time_t now = time(NULL);

    strftime(started, sizeof started, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    fields_int(root, "schema", RECORD_SCHEMA);
    fields_text(root, "suite", "Alidade");
    fields_text(root, "version", PACKAGE_VERSION);
    fields_text(root, "benchmark", c->bench->name);
    fields_text(root, "about", c->bench->about);
    fields_text(root, "started", started);
    command = fields_list(root, "command");
    for (int i = 0; i < c->argc; i++)
        fields_text(command, NULL, c->argv[i]);
    record_method(c, fields_object(root, "method"));
    record_environment(c, fields_object(root, "environment"));
}

/* False: errno says why it was not written; the journal remains. */
static bool write_document(struct record *record, enum exit_code code,
                           bool complete)
{
    const struct fields root = record->root;
    struct fresh_file file;
    struct fields leave;
    bool good;

    if (record->rows == 0)
        fields_list(root, "rows");
    leave = fields_object(root, "exit");
    fields_int(leave, "code", code);
    fields_text(leave, "reason", message_reason(code));
    fields_flag(leave, "complete", complete);
    watchdog_phase("writing the file of --json");
    good = fresh_file_begin(&file, record->context->settings->json) &&
           fresh_file_end(&file, fields_write(root, file.to, true));
    if (good)
        fresh_file_drop(&record->journal);
    return good;
}

/* --- Both files -------------------------------------------------------------- */

enum exit_code record_open(struct record *record, const struct context *c,
                           const struct report_table *table)
{
    const struct settings *s = c->settings;
    enum { FILES = 3 };
    static const char *const option[FILES] = { "--json", "--csv", "-P" };
    const char *const path[FILES] = { s->json, s->csv,
                                      s->nevents > 0 ? s->events_file : NULL };
    int wrong;

    *record = (struct record){ .context = c, .table = table };
    if (s->json != NULL) {
        record->root = fields_document();
        if (record->root.object == NULL)
            return message_print(E17_FILE, c->bench->name,
                                 "--json %s: this build has no JSON: configure "
                                 "found no jansson (--csv works)",
                                 s->json);
    }
    wrong = fresh_files_wrong(path, FILES);
    if (wrong < FILES)
        return message_print(errno == 0 ? E12_USAGE : E17_FILE, c->bench->name,
                             "%s %s: %s", option[wrong], path[wrong],
                             errno == 0 ? "another option names the same file"
                                        : strerror(errno));
    for (int i = 0; i < FILES; i++)
        if (graph_names(s, path[i]))
            return message_print(E12_USAGE, c->bench->name,
                                 "%s %s: -G gives this ending to drawings",
                                 option[i], path[i]);
    return EXIT_OK;
}

/* What a row has before the columns of the table, in CSV and in JSON; in CSV only, and
   only where a program has several of them, its operation and its parameter. */
enum { JSON_FIXED = RECORD_FIXED - 2 };

static bool has_operations(const struct bench *b)
{
    return b->operations[0].name != NULL;
}

void record_begin(struct record *record)
{
    const struct context *c = record->context;
    const struct report_table *table = record->table;
    const struct parameter *parameter =
        bench_plan(c->bench, c->settings).parameter;
    static const char *const fixed[JSON_FIXED] = {
        "benchmark", "ranks", "nodes", "window", "bytes", "count", "datatype"
    };
    int n = 0;

    while (n < JSON_FIXED) {
        record->column[n].key = fixed[n];
        n++;
    }
    if (has_operations(c->bench))
        record->column[n++].key = "operation";
    if (parameter->name != NULL)
        record->column[n++].key = parameter->key;
    memcpy(record->column + n, table->column,
           (size_t)table->n * sizeof *table->column);
    record->columns = n + table->n;
    if (record->root.object != NULL)
        begin_document(record);
}

static void begin_csv(struct record *record)
{
    const char *const path = record->context->settings->csv;

    if (path == NULL)
        return;
    watchdog_phase("opening the file of --csv"); /* a pipe waits for a reader */
    if (fresh_file_begin_part(&record->csv, path))
        table_csv_heading(record->csv.to, record->column, record->columns);
    watchdog_phase("writing results");
}

/* Until the first row the files of before are as they were. */
static void begin_rows(struct record *record)
{
    const char *const json = record->context->settings->json;

    begin_csv(record);
    if (json == NULL)
        return;
    if (!fresh_file_is_stream(json))
        fresh_file_begin_part(&record->journal, json);
    journal(record, "head", record->root);
    fields_list(record->root, "rows");
}

void record_row(struct record *record, const struct result *r,
                const struct cell *cells)
{
    const struct context *c = record->context;
    const struct family *family = bench_family(c->bench);
    const bool sized = bench_is_sized(c->bench);
    int n = JSON_FIXED;
    struct cell cell[RECORD_FIXED + REPORT_COLUMNS] = {
        cell_word(c->bench->name),
        cell_count((size_t)c->run->nranks),
        cell_count((size_t)r->nodes),
        cell_count((size_t)c->run->window),
        sized ? cell_count(r->bytes) : cell_word(""),
        sized ? cell_count(r->bytes / element_size(r->type)) : cell_word(""),
        cell_word(sized ? element_name(r->type) : ""),
    };

    if (has_operations(c->bench))
        cell[n++] = cell_word(r->operation != NULL ? r->operation : "");
    if (bench_plan(c->bench, c->settings).parameter->name != NULL)
        cell[n++] = cell_count((size_t)r->parameter);
    if (record->rows++ == 0)
        begin_rows(record);
    if (record->root.object != NULL) {
        struct fields method = fields_get(record->root, "method");
        const struct fields row =
            fields_object(fields_get(record->root, "rows"), NULL);

        record_columns(record->column, cell, JSON_FIXED, row);
        record_row_fields(c, record->table, r, cells, row);
        journal(record, "row", row);
        /* As they are after this row. */
        if (family->record != NULL)
            family->record(c, &(struct recorded){ .result = NULL }, &method);
        record_synchronisation(c, fields_get(record->root, "environment"));
    }
    memcpy(cell + n, cells, (size_t)record->table->n * sizeof *cells);
    if (record->csv.to != NULL) {
        table_csv_row(record->csv.to, cell, n + record->table->n);
        fresh_file_flush(&record->csv);
    }
}

void record_left_out(struct record *record, const struct rows *rows)
{
    const struct context *c = record->context;
    const struct fields list = fields_list(record->root, "left_out");

    for (int i = rows->n - rows->left_out; i < rows->n; i++) {
        const struct row *row = &rows->row[i];
        const struct fields one = fields_object(list, NULL);

        fields_int(one, "ranks", row->ranks > 0 ? row->ranks : c->world->size);
        fields_int(one, "window",
                   row->window > 0 ? row->window : c->run->window);
        if (bench_is_sized(c->bench))
            fields_int(one, "bytes", (long long)row->bytes);
        else
            fields_null(one, "bytes");
        fields_text(one, "datatype",
                    bench_is_sized(c->bench) ? element_name(row->element)
                                             : NULL);
        record_block(c, c->bench->operations[row->operation].name,
                     row->parameter, one);
    }
}

/* Is there a better thing to be at path than what is there?  Of a run that was refused
   only if nothing is lost. */
static bool is_due(const struct record *record, const char *path,
                   enum exit_code code)
{
    return path != NULL && record->columns > 0 &&
           (record->rows > 0 || code == EXIT_OK || access(path, F_OK) != 0 ||
            fresh_file_is_stream(path));
}

enum exit_code record_finish(struct record *record, enum exit_code code,
                             bool complete)
{
    const struct context *c = record->context;
    enum exit_code result = EXIT_OK;

    if (c == NULL) /* nothing was opened */
        return EXIT_OK;
    if (is_due(record, c->settings->csv, code)) {
        if (record->rows == 0)
            begin_csv(record);
        if (!fresh_file_end(&record->csv, true))
            result =
                message_print(E21_NOT_WRITTEN, c->bench->name, "--csv %s: %s",
                              c->settings->csv, strerror(errno));
    }
    if (is_due(record, c->settings->json, code) &&
        !write_document(record, code, complete))
        result = message_print(E21_NOT_WRITTEN, c->bench->name, "--json %s: %s",
                               c->settings->json, strerror(errno));
    fresh_file_end(&record->journal, false);
    fields_release(record->root);
    return result;
}
