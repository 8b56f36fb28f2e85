/* SPDX-License-Identifier: BSD-3-Clause */
#include "result_file.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "text/text.h"

enum { SCHEMA = 2, BENCHMARK_MAX = 64 };

const char *text_in(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

double number_in(const json_t *object, const char *name)
{
    return json_number_value(json_object_get(object, name));
}

long long whole_in(const json_t *object, const char *name)
{
    return json_integer_value(json_object_get(object, name));
}

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
    const json_t *iterations = json_object_get(row, "over_iterations");
    const json_t *datatype = json_object_get(row, "datatype");
    const json_t *bytes = json_object_get(row, "bytes");
    const json_t *operation = json_object_get(row, "operation");
    const char *unit = text_in(row, "unit");

    if (!json_is_object(row))
        return "a row is not an object";
    if (!json_is_integer(json_object_get(row, "ranks")))
        return "a row has no ranks";
    /* null: the program measures nothing, as hello. */
    if (!json_is_number(json_object_get(row, "value")) &&
        !json_is_null(json_object_get(row, "value")))
        return "a row has no value";
    if (bytes != NULL && !json_is_null(bytes) && !json_is_integer(bytes))
        return "the bytes of a row are not a number";
    if (datatype != NULL && !json_is_null(datatype) &&
        !json_is_string(datatype))
        return "the datatype of a row is not a string";
    if (operation != NULL && !json_is_string(operation))
        return "the operation of a row is not a string";
    if (iterations != NULL &&
        !is_figure(json_object_get(iterations, "median_us")) &&
        number_in(row, "value") > 0)
        return "a row has iterations without a median";
    if (iterations == NULL && unit == NULL &&
        json_is_number(json_object_get(row, "value")))
        return "a row has no unit";
    return NULL;
}

/* NULL, or what is missing of a document. */
static const char *lacks(const struct result_file *f)
{
    const json_t *row;
    size_t i;

    if (f->benchmark == NULL || !is_name(f->benchmark))
        return "it names no benchmark";
    if (!json_is_object(f->method) || !json_is_object(f->environment))
        return "it has no method or no environment";
    if (!json_is_string(json_object_get(f->environment, "mpi")))
        return "its environment names no MPI";
    if (!json_is_object(json_object_get(f->root, "exit")))
        return "it has no exit record: the run or the file was cut short";
    if (!json_is_array(f->rows))
        return "it has no rows";
    json_array_foreach(f->rows, i, row)
    {
        const char *missing = row_lacks(row);

        if (missing != NULL)
            return missing;
    }
    return NULL;
}

/* A run that failed may lack anything else. */
static bool has_passed(const struct result_file *f, char why[WHY])
{
    const json_t *end = json_object_get(f->root, "exit");
    const json_t *code = json_object_get(end, "code");
    const char *reason = text_in(end, "reason");

    reason = reason != NULL ? reason : "unknown reason";
    return code == NULL ||
           (json_is_integer(code) && json_integer_value(code) == 0) ||
           refuse(why, "%s: the run has failed: exit code %lld, %.*s", f->path,
                  (long long)json_integer_value(code), utf8_within(reason, 60),
                  reason);
}

static bool take(struct result_file *f, char why[WHY])
{
    const char *suite = text_in(f->root, "suite");
    const json_int_t schema = whole_in(f->root, "schema");
    const char *missing;

    /* An answer of compare, such as --json, has no schema. */
    if (suite == NULL || strcmp(suite, "Alidade") != 0 ||
        json_object_get(f->root, "schema") == NULL)
        return refuse(why, "%s: is not a JSON result file of Alidade", f->path);
    if (schema != SCHEMA)
        return refuse(
            why,
            "%s: was written with schema %lld; this version of Alidade reads "
            "schema %d only",
            f->path, (long long)schema, SCHEMA);
    f->benchmark = text_in(f->root, "benchmark");
    f->method = json_object_get(f->root, "method");
    f->environment = json_object_get(f->root, "environment");
    f->rows = json_object_get(f->root, "rows");
    if (!has_passed(f, why))
        return false;
    missing = lacks(f);
    return missing == NULL || refuse(why, "%s: %s", f->path, missing);
}

bool result_file_take(struct result_file *f, const char *name, json_t *root,
                      char why[WHY])
{
    bool good;

    *f = (struct result_file){ .root = json_incref(root) };
    f->path = given_memory(strdup(name));
    good = take(f, why);
    if (!good)
        result_file_release(f);
    return good;
}

json_t *result_runs(const json_t *root)
{
    const char *suite = text_in(root, "suite");
    json_t *runs = json_object_get(root, "result_files");

    return suite != NULL && strcmp(suite, "Alidade") == 0 &&
                   json_is_integer(json_object_get(root, "repeat"))
               ? runs
               : NULL;
}

bool result_file_take_run(struct result_file *f, const char *name, json_t *runs,
                          size_t i, char why[WHY])
{
    const json_t *run = json_array_get(runs, i);
    json_t *result = json_object_get(run, "result");
    char *full;
    bool good;

    if (result == NULL)
        return refuse(why, "%s: entry %zu of its runs has no result", name,
                      i + 1);
    if (asprintf(&full, "%s: run %d", name, (int)whole_in(run, "run")) < 0)
        memory_is_short();
    good = result_file_take(f, full, result, why);
    free(full);
    if (good) {
        f->inside = true;
        f->run = (int)whole_in(run, "run");
    }
    return good;
}

static json_t *json_of(const char *name, const char *text, size_t n,
                       char why[WHY])
{
    json_error_t error;
    json_t *root = json_loadb(text, n, 0, &error);

    if (root == NULL)
        refuse(why, "%s: is not JSON: line %d: %.200s", name, error.line,
               error.text);
    return root;
}

bool result_file_of(struct result_file *f, const char *name, const char *text,
                    size_t n, char why[WHY])
{
    json_t *root = json_of(name, text, n, why);
    const bool good = root != NULL && result_file_take(f, name, root, why);

    json_decref(root);
    return good;
}

char *result_file_text(const char *path, size_t *n, char why[WHY])
{
    struct stat about;
    char *text;
    FILE *from = NULL;
    bool good = stat(path, &about) == 0;

    if (good && !S_ISREG(about.st_mode))
        refuse(why, "%s: is not a regular file", path);
    else if (good && about.st_size > RESULT_FILE_BYTES_MAX)
        refuse(why, "%s: has %lld bytes; no result file has more than %d", path,
               (long long)about.st_size, RESULT_FILE_BYTES_MAX);
    else if (!good || (from = fopen(path, "r")) == NULL)
        refuse(why, "%s: %s", path, strerror(errno));
    if (from == NULL)
        return NULL;
    text = given_memory(malloc((size_t)about.st_size + 1));
    *n = fread(text, 1, (size_t)about.st_size, from);
    if (ferror(from)) {
        refuse(why, "%s: %s", path, strerror(errno));
        free(text);
        text = NULL;
    }
    fclose(from);
    return text;
}

json_t *result_json_read(const char *path, char why[WHY])
{
    size_t n = 0;
    char *text = result_file_text(path, &n, why);
    json_t *root = text != NULL && n > 0 ? json_of(path, text, n, why) : NULL;

    if (text != NULL && n == 0)
        refuse(why, "%s: is empty", path);
    free(text);
    return root;
}

void result_file_release(struct result_file *f)
{
    json_decref(f->root);
    free(f->path);
    *f = (struct result_file){ .path = NULL };
}

static bool is_unit(const json_t *row, const char *unit)
{
    const char *text = text_in(row, "unit");

    return text != NULL && strcmp(text, unit) == 0;
}

/* Figures that are equal are equal runs, so digits that the division made up are cut. */
static double ten_digits(double figure)
{
    const double unit = pow(10, floor(log10(fabs(figure))) - 9);

    return figure != 0 && isfinite(figure) ? round(figure / unit) * unit
                                           : figure;
}

/* Of a file from before rows had a "median".  Guidelines and impact had medians as
   values. */
static double earlier_median(const json_t *row)
{
    const json_t *iterations = json_object_get(row, "over_iterations");
    const double value = number_in(row, "value");
    const double mean =
        number_in(json_object_get(row, "over_ranks"), "mean_us");
    const double times = number_in(iterations, "median_us") / mean;

    if (iterations == NULL || !(mean > 0) || !(times > 0) ||
        json_object_get(row, "guideline") != NULL ||
        json_object_get(row, "impact") != NULL)
        return value;
    return ten_digits(is_unit(row, "MB/s") ? value / times : value * times);
}

double result_row_figure(const json_t *row)
{
    const json_t *median = json_object_get(row, "median");

    return json_is_number(median) ? json_number_value(median)
                                  : earlier_median(row);
}

double result_row_time(const json_t *row)
{
    const double figure = result_row_figure(row);

    if (is_unit(row, "MB/s"))
        return 1 / figure;
    return (is_unit(row, "s") ? 1 : 1e-6) * figure;
}

double result_started(const struct result_file *f)
{
    const char *text = text_in(f->root, "started");
    struct tm when = { 0 };
    const char *end =
        text != NULL ? strptime(text, "%Y-%m-%dT%H:%M:%S", &when) : NULL;

    return end != NULL ? (double)timegm(&when) : NAN;
}

const char *result_row_fault(const json_t *row)
{
    const char *verified = text_in(row, "verified");
    const double time = result_row_time(row);
    const double value = number_in(row, "value");

    /* Nothing in no time is no bandwidth.  Earlier versions had passes of --duration,
       which are no runs of their own. */
    if (json_is_null(json_object_get(row, "unit")) ||
        whole_in(row, "pass") > 1 ||
        (is_unit(row, "MB/s") && number_in(row, "bytes") == 0))
        return RESULT_ROW_NONE;
    if (verified != NULL && strcmp(verified, "fail") == 0)
        return "wrong data";
    if (json_array_size(json_object_get(row, "suspect")) > 0)
        return "suspect";
    /* From a picosecond to thirty years: what is outside was not measured. */
    return json_is_number(json_object_get(row, "value")) && time > 1e-12 &&
                   time < 1e9 && fabs(value) < 1e18
               ? NULL
               : "without a value";
}

bool result_row_counts(const json_t *row)
{
    return result_row_fault(row) == NULL;
}

/* Fields that make a row another one, besides size, type and window. */
static const char *const levels[] = {
    "queue_depth",   "peers",   "compute_percent", "buffers",
    "reuse_percent", "entries", "threads",         "sender_compute_us",
};

/* Go on with a key. */
static void add_number(char *key, size_t room, const char *name,
                       const json_t *row, json_int_t least)
{
    const json_t *value = json_object_get(row, name);

    if (json_is_integer(value) && json_integer_value(value) >= least)
        text_add(key, room, "%s%s=%" JSON_INTEGER_FORMAT,
                 key[0] != '\0' ? " " : "", name, json_integer_value(value));
}

void result_row_key(const json_t *row, char *key, size_t room)
{
    const json_t *bytes = json_object_get(row, "bytes");

    key[0] = '\0';
    if (json_is_integer(bytes))
        text_add(key, room, "%" JSON_INTEGER_FORMAT, json_integer_value(bytes));
    text_add_word(key, room, " ", text_in(row, "datatype"), 20);
    text_add_word(key, room, " ", text_in(row, "operation"), 40);
    add_number(key, room, "window", row, 2);
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        add_number(key, room, levels[i], row, LLONG_MIN);
    add_number(key, room, "ranks", row, 1);
}
