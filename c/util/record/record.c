/* SPDX-License-Identifier: BSD-3-Clause */
#include "record.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/fresh_file.h"
#include "record_environment.h"
#include "record_row.h"

enum { PATH = 4096 };

/* --- The JSON document ------------------------------------------------------- */

static bool open_journal(struct record *record, const char *path)
{
    char part[PATH];
    struct stat there;

    snprintf(part, sizeof part, "%s.part", path);
    record->root = fields_document();
    if (record->root.object == NULL) {
        errno = ENOSYS;
        return false;
    }
    /* The document replaces the file: never a device, a pipe or a folder. */
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode))
        errno = S_ISDIR(there.st_mode) ? EISDIR : ENOTSUP;
    else
        record->part = fopen(part, "w");
    if (record->part == NULL)
        fields_release(record->root);
    return record->part != NULL;
}

/* A line of the journal. */
static void journal(struct record *record, const char *key, struct fields what)
{
    fprintf(record->part, "{\"%s\":", key);
    fields_write(what, record->part, false);
    fputs("}\n", record->part);
    fflush(record->part);
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
    journal(record, "head", root);
    fields_list(root, "rows");
}

static bool close_document(struct record *record, enum exit_code code,
                           bool complete)
{
    const struct fields root = record->root;
    const char *path = record->context->settings->json;
    /* Else refused before anything was measured: there is nothing to keep. */
    const bool begun = fields_get(root, "rows").object != NULL;
    struct fresh_file file;
    struct fields leave;
    char part[PATH];
    bool good = true;

    snprintf(part, sizeof part, "%s.part", path);
    if (begun) {
        leave = fields_object(root, "exit");
        fields_int(leave, "code", code);
        fields_text(leave, "reason", message_reason(code));
        fields_flag(leave, "complete", complete);
        good = fresh_file_begin(&file, path) &&
               fresh_file_end(&file, fields_write(root, file.to, true));
    }
    fclose(record->part);
    if (good)
        unlink(part);
    fields_release(root);
    return good;
}

/* --- Both files -------------------------------------------------------------- */

enum exit_code record_open(struct record *record, const struct context *c,
                           const struct report_table *table)
{
    const struct settings *s = c->settings;

    *record = (struct record){ .context = c, .table = table };
    if (s->json != NULL && !open_journal(record, s->json))
        return message_print(E17_FILE, c->bench->name, "--json %s: %s", s->json,
                             errno == ENOSYS
                                 ? "this build has no JSON: configure found no "
                                   "jansson (--csv works)"
                                 : strerror(errno));
    if (s->csv != NULL)
        record->csv = fopen(s->csv, "a"); /* emptied when the run begins */
    if (s->csv != NULL && record->csv == NULL)
        return message_print(E17_FILE, c->bench->name, "--csv %s: %s", s->csv,
                             strerror(errno));
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
    const struct parameter *parameter = bench_parameter(c->bench, c->settings);
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
    if (record->part != NULL)
        begin_document(record);
    if (record->csv != NULL && ftruncate(fileno(record->csv), 0) == 0)
        table_csv_heading(record->csv, record->column, n + table->n);
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
    if (bench_parameter(c->bench, c->settings)->name != NULL)
        cell[n++] = cell_count((size_t)r->parameter);
    if (record->part != NULL) {
        struct fields method = fields_get(record->root, "method");
        const struct fields row =
            fields_object(fields_get(record->root, "rows"), NULL);

        record_columns(record->column, cell, JSON_FIXED, row);
        record_row_fields(c, record->table, r, cells, row);
        journal(record, "row", row);
        /* As they are after this row. */
        if (family->method != NULL)
            family->method(c, &method);
        record_synchronisation(c, fields_get(record->root, "environment"));
    }
    memcpy(cell + n, cells, (size_t)record->table->n * sizeof *cells);
    if (record->csv != NULL)
        table_csv_row(record->csv, cell, n + record->table->n);
}

enum exit_code record_finish(struct record *record, enum exit_code code,
                             bool complete)
{
    const struct context *c = record->context; /* NULL: nothing was opened */
    const bool lost = record->csv != NULL && ferror(record->csv);
    const bool torn = record->csv != NULL && fclose(record->csv) != 0;
    const int error = errno;

    if (record->part != NULL && !close_document(record, code, complete))
        return message_print(E21_NOT_WRITTEN, c->bench->name, "--json %s: %s",
                             c->settings->json, strerror(errno));
    if (lost || torn)
        return message_print(E21_NOT_WRITTEN, c->bench->name, "--csv %s: %s",
                             c->settings->csv, strerror(error));
    return EXIT_OK;
}
