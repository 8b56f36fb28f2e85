/* SPDX-License-Identifier: BSD-3-Clause */
#include "record.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/fields.h"
#include "bench.h"
#include "drawings/graph.h"
#include "fresh_file.h"
#include "job/launch.h"
#include "job/progress.h"
#include "job/world.h"
#include "record_environment.h"
#include "record_row.h"
#include "report/rows.h"

enum { SCHEMA = 2 };

static struct {
    const struct context *context;
    struct fields head, document; /* before and after the rows */
    struct fresh_file file;
    long head_end, rows_end; /* of the file: before and after its rows */
    bool ready, complete;    /* the context is; every row was measured */
} record;

/* --- The file: head, rows, and a tail that the next row overwrites ---------------- */

/* After the rows so far: another one, unless it is NULL, and a tail with that exit code. */
static void write_on(const struct fields *row, enum exit_code code,
                     bool complete)
{
    const struct fields leave = fields_object(record.document, "exit");
    FILE *const to = record.file.to;

    if (to == NULL)
        return;
    fields_int(leave, "code", code);
    fields_text(leave, "reason", message_reason(code));
    fields_flag(leave, "complete", complete);
    fresh_file_grow(&record.file);
    fseek(to, record.rows_end, SEEK_SET);
    if (row != NULL) {
        fputs(record.rows_end > record.head_end ? ",\n  " : "\n  ", to);
        fields_write(*row, to, FIELDS_LINE);
        record.rows_end = ftell(to);
    }
    fputs(record.rows_end > record.head_end ? "\n ]," : "],", to);
    fields_write(record.document, to, FIELDS_INSIDE);
    fputs("}\n", to);
    if (fflush(to) != 0 || ftruncate(fileno(to), ftell(to)) != 0)
        record.file.error = errno;
    fresh_file_flush(&record.file);
}

static void begin_file(void)
{
    FILE *to;

    if (record.file.to != NULL ||
        !fresh_file_begin(&record.file, record.context->settings->json,
                          FRESH_DOCUMENT))
        return;
    to = record.file.to;
    fputs("{", to);
    fields_write(record.head, to, FIELDS_INSIDE);
    fseek(to, -1, SEEK_CUR); /* the end of a line */
    fputs(",\n \"rows\": [", to);
    record.head_end = record.rows_end = ftell(to);
    write_on(NULL, EXIT_RUN, false);
}

/* MPI_Finalize may not return: until then a process that dies is one that failed.  Where it
   has failed, a launcher may kill this rank then. */
static bool end_file(enum exit_code code, bool complete)
{
    const bool now =
        code != EXIT_OK || fresh_file_is_stream(record.context->settings->json);

    begin_file();
    progress_phase("writing the file of --json");
    record.complete = complete;
    write_on(NULL, now ? code : EXIT_RUN, complete);
    errno = record.file.error;
    return !now && record.file.whole ? true
                                     : fresh_file_end(&record.file, true);
}

static void forget(void)
{
    fresh_file_drop(&record.file);
    fields_release(record.head);
    fields_release(record.document);
    record.head.object = record.document.object = NULL;
}

/* --- The document ----------------------------------------------------------------- */

static void begin_document(void)
{
    const struct context *c = record.context;
    struct fields head, command;
    char started[32];
    const time_t now = time(NULL);

    if (c->settings->json == NULL || c->settings->json[0] == '\0')
        return;
    head = record.head = fields_document();
    record.document = fields_document();
    if (head.object == NULL)
        return;
    strftime(started, sizeof started, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    fields_int(head, "schema", SCHEMA);
    fields_text(head, "suite", "Alidade");
    fields_text(head, "version", PACKAGE_VERSION);
    fields_text(head, "benchmark", c->bench->name);
    fields_text(head, "about", c->bench->about);
    fields_text(head, "started", started);
    command = fields_list(head, "command");
    for (int i = 0; i < c->argc; i++)
        fields_text(command, NULL, c->argv[i]);
    /* Before the first row a file of an earlier run is worth more. */
    if (fresh_file_is_new(c->settings->json))
        begin_file();
}

static void left_out(const struct context *c, const struct row *row, int n,
                     struct fields list)
{
    for (; n > 0; n--, row++) {
        const struct fields one = fields_object(list, NULL);

        fields_text(one, "because",
                    row->lacks != NULL ? row->lacks : "--total was over");
        fields_int(one, "ranks", row->ranks > 0 ? row->ranks : c->world->size);
        fields_int(one, "window",
                   row->window > 0 ? row->window : c->run->window);
        fields_known_int(one, "bytes", bench_is_sized(c->bench),
                         (long long)row->bytes);
        fields_text(one, "datatype",
                    bench_is_sized(c->bench) ? element_name(row->element)
                                             : NULL);
        record_block(c, row, one);
    }
}

static void say_left_out(const struct rows *rows)
{
    const struct fields list = fields_list(record.document, "left_out");

    left_out(record.context, rows->absent, rows->nabsent, list);
    left_out(record.context, rows->row + rows->n - rows->left_out,
             rows->left_out, list);
}

/* --- The moments ------------------------------------------------------------------ */

/* What is known without MPI, on the process that the launcher calls rank 0. */
static enum exit_code begin(const struct context *c)
{
    memset(&record, 0, sizeof record);
    record.context = c;
    progress.rescue = fresh_files_rescue;
    if (launch_rank() == 0)
        begin_document();
    return EXIT_OK;
}

/* Can every file that the settings name be written?  None of it is changed before the first
   row, so a run that is refused leaves older ones as they are. */
static enum exit_code check_files(const struct context *c)
{
    const struct settings *s = c->settings;
    enum { FILES = 3 };
    static const char *const option[FILES] = { "--json", "--csv", "-P" };
    const char *const path[FILES] = { s->json, s->csv,
                                      s->nevents > 0 ? s->events_file : NULL };
    const int wrong = fresh_files_wrong(path, FILES);

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

static enum exit_code open(const struct context *c)
{
    if (c->world->rank > 0) { /* the launcher counts otherwise */
        forget();
        return EXIT_OK;
    }
    if (c->settings->json != NULL && record.document.object == NULL)
        begin_document();
    if (c->settings->json != NULL && record.document.object == NULL)
        return message_print(E17_FILE, c->bench->name,
                             "--json %s: this build has no JSON: configure "
                             "found no jansson (--csv works)",
                             c->settings->json);
    return check_files(c);
}

static void placed(const struct context *c, struct surroundings *around)
{
    (void)around;
    if (c->settings->json != NULL)
        record_collect(c);
}

static void ready(const struct context *c)
{
    record.ready = true;
    if (record.document.object == NULL)
        return;
    record_method(c, fields_object(record.document, "method"));
    record_environment(c, fields_object(record.document, "environment"));
    write_on(NULL, EXIT_RUN, false);
}

static void measured(const struct context *c, const struct result *r)
{
    const struct fields row = fields_document();
    struct fields method = fields_get(record.document, "method");

    if (record.document.object != NULL) {
        begin_file();
        record_row_fields(c, r, row);
        /* As they are after this row. */
        if (bench_family(c->bench)->record != NULL)
            c->bench->family->record(c, &(struct recorded){ .result = NULL },
                                     &method);
        record_synchronisation(c, fields_get(record.document, "environment"));
        write_on(&row, EXIT_RUN, false); /* of a process that dies */
    }
    fields_release(row);
}

/* Of a run that was refused a file is written only if nothing is lost. */
static bool is_due(const char *file, enum exit_code code)
{
    return record.document.object != NULL &&
           (record.file.to != NULL || fresh_file_is_new(file) ||
            (record.ready && (code == EXIT_OK || fresh_file_is_stream(file))));
}

static enum exit_code end(const struct context *c, const struct ending *ending)
{
    const char *const file = c->settings->json;
    enum exit_code code = ending->code;

    if (ending->rows != NULL && record.document.object != NULL) {
        say_left_out(ending->rows);
        if (bench_family(c->bench)->record != NULL)
            c->bench->family->record(c,
                                     &(struct recorded){ .rows = ending->rows },
                                     &record.document);
    }
    if (is_due(file, code) && !end_file(code, ending->complete) &&
        record.ready) /* else why it cannot be written is said */
        code = message_print(E21_NOT_WRITTEN, c->bench->name, "--json %s: %s",
                             file, strerror(errno));
    if (!record.ready)
        forget();
    return code;
}

/* FILE gets its name and its exit code.  Where it is too early for that, the run was refused
   before end. */
static enum exit_code finish(const struct context *c, enum exit_code code)
{
    if (!record.ready && is_due(c->settings->json, code))
        end_file(code, false);
    else if (record.file.to != NULL) {
        write_on(NULL, code, record.complete && code == EXIT_OK);
        if (!fresh_file_end(&record.file, true))
            code =
                message_print(E21_NOT_WRITTEN, c->bench->name, "--json %s: %s",
                              c->settings->json, strerror(errno));
    }
    forget();
    record_release();
    return code;
}

const struct watcher record_watcher = { .begin = begin,
                                        .open = open,
                                        .placed = placed,
                                        .ready = ready,
                                        .measured = measured,
                                        .end = end,
                                        .close = finish };
