/* SPDX-License-Identifier: BSD-3-Clause */
/* The JSON document of record.h, by jansson; stand-ins without it. */
#include "record_json.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/fresh_file.h"
#include "record_environment.h"
#include "record_row.h"

#ifdef HAVE_JANSSON
#    include <jansson.h>

bool record_json_open(struct record *record, const char *path)
{
    char part[4096];
    struct stat there;

    snprintf(part, sizeof part, "%s.part", path);
    /* The document replaces the file: never a device, a pipe or a folder. */
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode)) {
        errno = S_ISDIR(there.st_mode) ? EISDIR : ENOTSUP;
        return false;
    }
    record->part = fopen(part, "w");
    record->root = record->part != NULL ? json_object() : NULL;
    return record->part != NULL;
}

/* One line of the journal. */
static void journal(struct record *record, const char *key, json_t *value)
{
    json_t *line = json_pack("{s:O}", key, value);

    json_dumpf(line, record->part, JSON_COMPACT | JSON_REAL_PRECISION(12));
    fputc('\n', record->part);
    fflush(record->part);
    json_decref(line);
}

void record_json_begin(struct record *record, const struct context *c)
{
    json_t *root = record->root, *head, *command = json_array();
    char started[32];
    const time_t now = time(NULL);

    strftime(started, sizeof started, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    for (int i = 0; i < c->argc; i++)
        json_array_append_new(command, json_string(c->argv[i]));
    head = json_pack("{s:i, s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:o}", "schema",
                     RECORD_SCHEMA, "suite", "Alidade", "version",
                     PACKAGE_VERSION, "benchmark", record->bench->name, "about",
                     record->bench->about, "started", started, "command",
                     command, "method", record_method(c), "environment",
                     record_environment(c));
    json_object_update(root, head);
    journal(record, "head", head);
    json_decref(head);
    json_object_set_new(root, "rows", json_array());
}

void record_json_row(struct record *record, const struct context *c,
                     const struct report_table *table, const struct result *r,
                     const struct cell *cells)
{
    const struct family *family = record->bench->family;
    json_t *row = record_row_object(record, c, table, r, cells);

    journal(record, "row", row);
    /* As they are after this row. */
    if (family != NULL && family->method != NULL)
        family->method(
            c, &(struct fields){ json_object_get(record->root, "method") });
    json_object_set_new(json_object_get(record->root, "environment"),
                        "synchronisation", record_synchronisation(c));
    json_array_append_new(json_object_get(record->root, "rows"), row);
}

void record_json_jump(struct record *record, const struct jump *jump,
                      const struct row *row, const char *operation)
{
    json_t *jumps = json_object_get(record->root, "jumps"), *object;

    if (jumps == NULL) {
        jumps = json_array();
        json_object_set_new(record->root, "jumps", jumps);
    }
    object =
        json_pack("{s:s, s:I, s:I, s:f}", "datatype",
                  element_name(row->element), "from", (json_int_t)jump->from,
                  "to", (json_int_t)jump->to, "ratio", jump->ratio);
    record_block(object, record, operation, row->parameter);
    json_array_append_new(jumps, object);
}

bool record_json_finish(struct record *record, enum exit_code code,
                        bool complete)
{
    const char *path = record->settings->json;
    struct fresh_file file;
    char part[4096];
    bool good;

    snprintf(part, sizeof part, "%s.part", path);
    if (json_object_get(record->root, "rows") == NULL) {
        /* Refused before anything was measured: there is nothing to keep. */
        fclose(record->part);
        unlink(part);
        json_decref(record->root);
        return true;
    }
    json_object_set_new(record->root, "exit",
                        json_pack("{s:i, s:s, s:b}", "code", (int)code,
                                  "reason", message_reason(code), "complete",
                                  complete));
    good = fresh_file_begin(&file, path);
    if (good)
        good = fresh_file_end(
            &file, json_dumpf(record->root, file.to,
                              JSON_INDENT(1) | JSON_REAL_PRECISION(12)) == 0);
    fclose(record->part);
    if (good)
        unlink(part);
    json_decref(record->root);
    return good;
}
#else
bool record_json_open(struct record *record, const char *path)
{
    (void)record;
    (void)path;
    errno = ENOSYS; /* configure found no jansson */
    return false;
}

void record_json_begin(struct record *record, const struct context *c)
{
    (void)record;
    (void)c;
}

void record_json_row(struct record *record, const struct context *c,
                     const struct report_table *table, const struct result *r,
                     const struct cell *cells)
{
    (void)record;
    (void)c;
    (void)table;
    (void)r;
    (void)cells;
}

void record_json_jump(struct record *record, const struct jump *jump,
                      const struct row *row, const char *operation)
{
    (void)record;
    (void)jump;
    (void)row;
    (void)operation;
}

bool record_json_finish(struct record *record, enum exit_code code,
                        bool complete)
{
    (void)record;
    (void)code;
    (void)complete;
    return true;
}
#endif
