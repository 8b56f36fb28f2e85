/* SPDX-License-Identifier: BSD-3-Clause */
#include "document.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SCHEMA_FIRST = 1, SCHEMA_LAST = 2, BENCHMARK_MAX = 64 };

/* Names stand in file names, Markdown and HTML. */
static bool is_name(const char *text)
{
    const size_t n = strlen(text);

    return n > 0 && n < BENCHMARK_MAX &&
           strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_") == n;
}

static bool is_figure(const json_t *value)
{
    return json_is_number(value) && isfinite(json_number_value(value)) &&
           json_number_value(value) > 0;
}

/* NULL, or what a row lacks. */
static const char *row_lacks(const json_t *row)
{
    const json_t *laps = json_object_get(row, "over_laps");
    const json_t *datatype = json_object_get(row, "datatype");
    const json_t *bytes = json_object_get(row, "bytes");
    const json_t *operation = json_object_get(row, "operation");
    const char *unit = json_string_value(json_object_get(row, "unit"));

    if (!json_is_object(row))
        return "a row is no object";
    if (!json_is_integer(json_object_get(row, "ranks")))
        return "a row has no ranks";
    /* null: the program measures nothing, as hello. */
    if (!json_is_number(json_object_get(row, "value")) &&
        !json_is_null(json_object_get(row, "value")))
        return "a row has no value";
    if (bytes != NULL && !json_is_null(bytes) && !json_is_integer(bytes))
        return "bytes of a row are no number";
    if (datatype != NULL && !json_is_null(datatype) &&
        !json_is_string(datatype))
        return "the datatype of a row is no word";
    if (operation != NULL && !json_is_string(operation))
        return "the operation of a row is no word";
    if (laps != NULL && !is_figure(json_object_get(laps, "median_us")) &&
        json_number_value(json_object_get(row, "value")) > 0)
        return "a row has laps without a median";
    if (laps == NULL && unit == NULL &&
        json_is_number(json_object_get(row, "value")))
        return "a row has no unit";
    return NULL;
}

/* NULL, or what is missing of a document. */
static const char *lacks(const struct document *d)
{
    const json_t *end = json_object_get(d->root, "exit");
    const json_t *code = json_object_get(end, "code");
    const json_t *row;
    size_t i;

    if (d->benchmark == NULL || !is_name(d->benchmark))
        return "it names no benchmark";
    if (!json_is_object(d->method) || !json_is_object(d->environment))
        return "it has no method or no environment";
    if (!json_is_string(json_object_get(d->environment, "mpi")))
        return "its environment names no MPI";
    if (json_is_object(end) && code != NULL &&
        !(json_is_integer(code) && json_integer_value(code) == 0))
        return "the run has failed: its exit code is not 0";
    if (!json_is_object(end))
        return "it has no end: the run was cut short, or the file was";
    if (!json_is_array(d->rows))
        return "it has no rows";
    json_array_foreach(d->rows, i, row)
    {
        const char *missing = row_lacks(row);

        if (missing != NULL)
            return missing;
    }
    return NULL;
}

static bool refuse(char *why, size_t room, const char *path, const char *what)
{
    snprintf(why, room, "%s: %s", path, what);
    return false;
}

bool document_of(struct document *d, const char *name, const char *text,
                 size_t n, char *why, size_t room)
{
    const char *missing;
    char what[300];
    json_error_t error;
    json_int_t schema;

    *d = (struct document){ .path = strdup(name) };
    if (d->path == NULL)
        return refuse(why, room, name, strerror(ENOMEM));
    d->root = json_loadb(text, n, 0, &error);
    if (d->root == NULL) {
        snprintf(what, sizeof what, "is not JSON: line %d: %.200s", error.line,
                 error.text);
        document_release(d);
        return refuse(why, room, name, what);
    }
    if (!json_is_object(d->root) ||
        json_string_value(json_object_get(d->root, "suite")) == NULL ||
        strcmp(json_string_value(json_object_get(d->root, "suite")),
               "Alidade") != 0) {
        document_release(d);
        return refuse(why, room, name, "is no result of Alidade's --json");
    }
    schema = json_integer_value(json_object_get(d->root, "schema"));
    if (schema < SCHEMA_FIRST || schema > SCHEMA_LAST) {
        snprintf(what, sizeof what,
                 "is of schema %lld; this version reads %d to %d",
                 (long long)schema, SCHEMA_FIRST, SCHEMA_LAST);
        document_release(d);
        return refuse(why, room, name, what);
    }
    d->benchmark = json_string_value(json_object_get(d->root, "benchmark"));
    d->method = json_object_get(d->root, "method");
    d->environment = json_object_get(d->root, "environment");
    d->rows = json_object_get(d->root, "rows");
    missing = lacks(d);
    if (missing != NULL) {
        document_release(d);
        return refuse(why, room, name, missing);
    }
    return true;
}

char *document_text(const char *path, size_t *n, char *what, size_t room)
{
    struct stat about;
    char *text = NULL;
    FILE *from;

    if (stat(path, &about) != 0) {
        snprintf(what, room, "%s", strerror(errno));
        return NULL;
    }
    if (!S_ISREG(about.st_mode)) {
        snprintf(what, room, "is no file");
        return NULL;
    }
    if (about.st_size > DOCUMENT_BYTES_MAX) {
        snprintf(what, room, "has %lld bytes; no result has more than %d",
                 (long long)about.st_size, DOCUMENT_BYTES_MAX);
        return NULL;
    }
    from = fopen(path, "r");
    if (from != NULL)
        text = malloc((size_t)about.st_size + 1);
    if (text == NULL) {
        snprintf(what, room, "%s", strerror(errno));
        if (from != NULL)
            fclose(from);
        return NULL;
    }
    *n = fread(text, 1, (size_t)about.st_size, from);
    if (ferror(from)) {
        snprintf(what, room, "%s", strerror(errno));
        free(text);
        text = NULL;
    }
    fclose(from);
    return text;
}

bool document_read(struct document *d, const char *path, char *why, size_t room)
{
    char what[300];
    size_t n = 0;
    char *text = document_text(path, &n, what, sizeof what);
    bool good;

    if (text == NULL)
        return refuse(why, room, path, what);
    good = n > 0 ? document_of(d, path, text, n, why, room)
                 : refuse(why, room, path, "is empty");
    free(text);
    return good;
}

void document_release(struct document *d)
{
    json_decref(d->root);
    free(d->path);
    *d = (struct document){ .path = NULL };
}
