/* SPDX-License-Identifier: BSD-3-Clause */
#include "record.h"

#include <errno.h>
#include <time.h>
#include <unistd.h>

#include "job/launch.h"
#include "job/watchdog.h"
#include "record_environment.h"
#include "record_row.h"

enum { SCHEMA = 2, JOURNAL_ROOM = 1 << 20 };

/* --- The journal ------------------------------------------------------------------ */

/* What the document ends with if nothing more comes: the code of a process that dies.  What
   was written before it and this go into the file at once. */
static void journal_end(struct output *o, bool complete)
{
    FILE *const to = o->journal.to;

    o->journal_end = ftell(to);
    fprintf(to,
            "\n],\"exit\":{\"code\":%d,\"reason\":\"%s\",\"complete\":%s}}\n",
            EXIT_RUN, message_reason(EXIT_RUN), complete ? "true" : "false");
    fflush(to);
}

/* The document as it is, without any row. */
static void journal_head(struct output *o)
{
    FILE *const to = o->journal.to;

    if (to == NULL)
        return;
    rewind(to); /* the head becomes longer, or is the same */
    fields_write(o->document, to, false);
    fseek(to, -1, SEEK_END); /* into the object again */
    fputs(",\"rows\":[", to);
    journal_end(o, false);
}

static void journal_row(struct output *o, struct fields row)
{
    FILE *const to = o->journal.to;

    if (to == NULL)
        return;
    fseek(to, o->journal_end, SEEK_SET);
    fputs(o->rows > 0 ? ",\n" : "\n", to);
    fields_write(row, to, false);
    journal_end(o, false);
}

static void journal_begin(struct output *o)
{
    const char *const json = o->context->settings->json;

    if (o->journal.to != NULL || fresh_file_is_stream(json) ||
        !fresh_file_begin(&o->journal, json, FRESH_PART))
        return;
    setvbuf(o->journal.to, NULL, _IOFBF, JOURNAL_ROOM);
    watchdog_rescue(0, &o->journal);
    journal_head(o);
}

/* Before the first row a file of an earlier run is worth more. */
static bool is_new(const char *json)
{
    char part[FRESH_PATH + sizeof ".part"];

    snprintf(part, sizeof part, "%s.part", json);
    return access(json, F_OK) != 0 && access(part, F_OK) != 0;
}

/* --- The document ----------------------------------------------------------------- */

static void record_begin(struct output *o)
{
    const struct context *c = o->context;
    struct fields root, command;
    char started[32];
    const time_t now = time(NULL);

    if (c->settings->json == NULL || c->settings->json[0] == '\0')
        return;
    root = o->document = fields_document();
    if (root.object == NULL)
        return;
    strftime(started, sizeof started, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    fields_int(root, "schema", SCHEMA);
    fields_text(root, "suite", "Alidade");
    fields_text(root, "version", PACKAGE_VERSION);
    fields_text(root, "benchmark", c->bench->name);
    fields_text(root, "about", c->bench->about);
    fields_text(root, "started", started);
    command = fields_list(root, "command");
    for (int i = 0; i < c->argc; i++)
        fields_text(command, NULL, c->argv[i]);
    if (is_new(c->settings->json))
        journal_begin(o);
}

void record_head(struct output *o)
{
    const struct context *c = o->context;

    if (o->document.object == NULL)
        return;
    record_method(c, fields_object(o->document, "method"));
    record_environment(c, fields_object(o->document, "environment"));
    journal_head(o);
}

static bool end(struct output *o, enum exit_code code, bool complete)
{
    const struct fields root = o->document;
    struct fresh_file file;
    struct fields leave;
    bool good;

    if (o->rows == 0)
        fields_list(root, "rows");
    leave = fields_object(root, "exit");
    fields_int(leave, "code", code);
    fields_text(leave, "reason", message_reason(code));
    fields_flag(leave, "complete", complete);
    watchdog_phase("writing the file of --json");
    good = fresh_file_begin(&file, o->context->settings->json, FRESH_WHOLE) &&
           fresh_file_end(&file, fields_write(root, file.to, true));
    const int error = errno;

    if (good && code == EXIT_OK && o->journal.to != NULL) {
        fseek(o->journal.to, o->journal_end, SEEK_SET);
        journal_end(o, complete); /* MPI_Finalize may not return */
    } else if (good)
        fresh_file_drop(&o->journal); /* a launcher may kill this rank then */
    else
        fresh_file_end(&o->journal, false);
    errno = error;
    return good;
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

static void begin(struct output *o)
{
    journal_begin(o);
    fields_list(o->document, "rows");
}

static void add_row(struct output *o, const struct result *r,
                    const struct cell *cells)
{
    const struct context *c = o->context;
    const struct fields row =
        fields_object(fields_get(o->document, "rows"), NULL);
    struct fields method = fields_get(o->document, "method");

    record_row_fields(c, &o->table, r, cells, row);
    journal_row(o, row);
    /* As they are after this row. */
    if (bench_family(c->bench)->record != NULL)
        c->bench->family->record(c, &(struct recorded){ .result = NULL },
                                 &method);
    record_synchronisation(c, fields_get(o->document, "environment"));
}

void record_left_out(struct output *o, const struct rows *rows)
{
    const struct context *c = o->context;
    const struct fields list = fields_list(o->document, "left_out");

    for (int i = rows->n - rows->left_out; i < rows->n; i++) {
        const struct row *row = &rows->row[i];
        const struct fields one = fields_object(list, NULL);

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

const struct sink record_sink = { "--json", offsetof(struct settings, json),
                                  begin, add_row, end };

/* --- Without a run ---------------------------------------------------------------- */

void record_prepare(struct output *o, const struct context *c)
{
    o->context = c;
    if (launch_rank() == 0)
        record_begin(o);
}

void record_forget(struct output *o)
{
    watchdog_rescue(0, NULL);
    fresh_file_drop(&o->journal);
    fields_release(o->document);
    o->document.object = NULL;
}

void record_refuse(struct output *o, enum exit_code code)
{
    const char *const json = o->context->settings->json;

    if (o->begun) /* it was ended with the other sinks */
        return;
    if (o->document.object != NULL && access(json, F_OK) != 0)
        record_sink.end(o, code, false);
    record_forget(o);
}
