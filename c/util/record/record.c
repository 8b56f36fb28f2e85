/* SPDX-License-Identifier: BSD-3-Clause */
#include "record.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "job/launch.h"
#include "job/progress.h"
#include "record_environment.h"
#include "record_row.h"

enum { SCHEMA = 2 };

/* --- The file: head, rows, and a tail that the next row overwrites ---------------- */

/* After the rows so far: another one, unless it is NULL, and a tail with that exit code. */
static void write_on(struct output *o, const struct fields *row,
                     enum exit_code code, bool complete)
{
    const struct fields leave = fields_object(o->document, "exit");
    FILE *const to = o->json.to;

    if (to == NULL)
        return;
    fields_int(leave, "code", code);
    fields_text(leave, "reason", message_reason(code));
    fields_flag(leave, "complete", complete);
    fresh_file_grow(&o->json);
    fseek(to, o->rows_end, SEEK_SET);
    if (row != NULL) {
        fputs(o->rows_end > o->head_end ? ",\n  " : "\n  ", to);
        fields_write(*row, to, FIELDS_LINE);
        o->rows_end = ftell(to);
    }
    fputs(o->rows_end > o->head_end ? "\n ]," : "],", to);
    fields_write(o->document, to, FIELDS_INSIDE);
    fputs("}\n", to);
    if (fflush(to) != 0 || ftruncate(fileno(to), ftell(to)) != 0)
        o->json.error = errno;
    fresh_file_flush(&o->json);
}

static void begin(struct output *o)
{
    FILE *to;

    if (o->json.to != NULL ||
        !fresh_file_begin(&o->json, o->context->settings->json, FRESH_DOCUMENT))
        return;
    to = o->json.to;
    fputs("{", to);
    fields_write(o->head, to, FIELDS_INSIDE);
    fseek(to, -1, SEEK_CUR); /* the end of a line */
    fputs(",\n \"rows\": [", to);
    o->head_end = o->rows_end = ftell(to);
    write_on(o, NULL, EXIT_RUN, false);
}

/* --- The document ----------------------------------------------------------------- */

static void record_begin(struct output *o)
{
    const struct context *c = o->context;
    struct fields head, command;
    char started[32];
    const time_t now = time(NULL);

    if (c->settings->json == NULL || c->settings->json[0] == '\0')
        return;
    head = o->head = fields_document();
    o->document = fields_document();
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
        begin(o);
}

void record_head(struct output *o)
{
    const struct context *c = o->context;

    if (o->document.object == NULL)
        return;
    record_method(c, fields_object(o->document, "method"));
    record_environment(c, fields_object(o->document, "environment"));
    write_on(o, NULL, EXIT_RUN, false);
}

/* MPI_Finalize may not return: until then a process that dies is one that failed.  Where it
   has failed, a launcher may kill this rank then. */
static bool end(struct output *o, enum exit_code code, bool complete)
{
    const bool now =
        code != EXIT_OK || fresh_file_is_stream(o->context->settings->json);

    begin(o);
    progress_phase("writing the file of --json");
    o->complete = complete;
    write_on(o, NULL, now ? code : EXIT_RUN, complete);
    errno = o->json.error;
    return !now && o->json.whole ? true : fresh_file_end(&o->json, true);
}

enum exit_code record_open(struct output *o)
{
    const struct context *c = o->context;

    if (c->settings->json == NULL)
        return EXIT_OK;
    if (o->document.object == NULL)
        record_begin(o);
    return o->document.object != NULL
               ? EXIT_OK
               : message_print(E17_FILE, c->bench->name,
                               "--json %s: this build has no JSON: configure "
                               "found no jansson (--csv works)",
                               c->settings->json);
}

static void add_row(struct output *o, const struct result *r,
                    const struct cell *cells)
{
    const struct context *c = o->context;
    const struct fields row = fields_document();
    struct fields method = fields_get(o->document, "method");

    record_row_fields(c, &o->table, r, cells, row);
    /* As they are after this row. */
    if (bench_family(c->bench)->record != NULL)
        c->bench->family->record(c, &(struct recorded){ .result = NULL },
                                 &method);
    record_synchronisation(c, fields_get(o->document, "environment"));
    write_on(o, &row, EXIT_RUN, false); /* of a process that dies */
    fields_release(row);
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

void record_left_out(struct output *o, const struct rows *rows)
{
    const struct fields list = fields_list(o->document, "left_out");

    left_out(o->context, rows->absent, rows->nabsent, list);
    left_out(o->context, rows->row + rows->n - rows->left_out, rows->left_out,
             list);
}

const struct sink record_sink = { "--json", offsetof(struct settings, json),
                                  begin, add_row, end };

/* --- Without a run ---------------------------------------------------------------- */

void record_prepare(struct output *o, const struct context *c)
{
    o->context = c;
    if (launch_rank() == 0)
        record_begin(o);
}

enum exit_code record_close(struct output *o, enum exit_code code)
{
    if (o->json.to != NULL) {
        write_on(o, NULL, code, o->complete && code == EXIT_OK);
        if (!fresh_file_end(&o->json, true))
            code = message_print(E21_NOT_WRITTEN, o->context->bench->name,
                                 "--json %s: %s", o->context->settings->json,
                                 strerror(errno));
    }
    record_forget(o);
    return code;
}

void record_forget(struct output *o)
{
    fresh_file_drop(&o->json);
    fields_release(o->head);
    fields_release(o->document);
    o->head.object = o->document.object = NULL;
}

void record_refuse(struct output *o, enum exit_code code)
{
    const char *const json = o->context->settings->json;

    if (o->begun) /* it was ended with the other sinks */
        return;
    if (o->document.object != NULL &&
        (o->json.to != NULL || fresh_file_is_new(json)))
        record_sink.end(o, code, false);
    record_forget(o);
}
