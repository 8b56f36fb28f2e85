/* SPDX-License-Identifier: BSD-3-Clause */
/* A row of a result: document.h. */
#include "document.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "utf8.h"

double document_row_time(const json_t *row)
{
    const json_t *laps = json_object_get(row, "over_laps");
    const char *unit = json_string_value(json_object_get(row, "unit"));

    if (laps != NULL)
        return 1e-6 * json_number_value(json_object_get(laps, "median_us"));
    return (unit != NULL && strcmp(unit, "s") == 0 ? 1 : 1e-6) *
           json_number_value(json_object_get(row, "value"));
}

bool document_row_counts(const json_t *row)
{
    const char *verified = json_string_value(json_object_get(row, "verified"));
    const double time = document_row_time(row);
    const double value = json_number_value(json_object_get(row, "value"));

    /* From a picosecond to thirty years: what is outside was not measured. */
    return json_is_number(json_object_get(row, "value")) && time > 1e-12 &&
           time < 1e9 && fabs(value) < 1e18 &&
           (verified == NULL || strcmp(verified, "fail") != 0) &&
           json_array_size(json_object_get(row, "suspect")) == 0;
}

/* Fields that make a row another one, besides size and type. */
static const char *const levels[] = { "window",  "queue_depth",
                                      "others",  "compute_percent",
                                      "buffers", "reuse_percent" };

void document_row_key(const json_t *row, char *key, size_t room)
{
    const json_t *bytes = json_object_get(row, "bytes");
    const char *type = json_string_value(json_object_get(row, "datatype"));
    const char *operation =
        json_string_value(json_object_get(row, "operation"));
    size_t at = 0;

    key[0] = '\0';
    if (json_is_integer(bytes))
        at += (size_t)snprintf(key, room, "%" JSON_INTEGER_FORMAT,
                               json_integer_value(bytes));
    if (type != NULL && at < room)
        at += (size_t)snprintf(key + at, room - at, "%s%.*s", at > 0 ? " " : "",
                               utf8_within(type, 20), type);
    if (operation != NULL && at < room)
        at += (size_t)snprintf(key + at, room - at, "%s%.*s", at > 0 ? " " : "",
                               utf8_within(operation, 40), operation);
    for (size_t i = 0; i < sizeof levels / sizeof *levels && at < room; i++) {
        const json_t *level = json_object_get(row, levels[i]);

        if (json_is_integer(level) && (i > 0 || json_integer_value(level) > 1))
            at += (size_t)snprintf(
                key + at, room - at, "%s%s=%" JSON_INTEGER_FORMAT,
                at > 0 ? " " : "", levels[i], json_integer_value(level));
    }
    if (at < room && json_integer_value(json_object_get(row, "ranks")) > 0)
        snprintf(key + at, room - at, "%sranks=%" JSON_INTEGER_FORMAT,
                 at > 0 ? " " : "",
                 json_integer_value(json_object_get(row, "ranks")));
}

double document_row_bytes(const json_t *row)
{
    const json_t *bytes = json_object_get(row, "bytes");

    return json_is_integer(bytes) ? (double)json_integer_value(bytes) : -1;
}

double document_row_figure(const json_t *row)
{
    const double value = json_number_value(json_object_get(row, "value"));
    const char *unit = json_string_value(json_object_get(row, "unit"));
    const double mean =
        1e-6 * json_number_value(json_object_get(
                   json_object_get(row, "over_ranks"), "mean_us"));
    const double time = document_row_time(row);

    if (!(mean > 0) || json_object_get(row, "over_laps") == NULL)
        return value;
    return unit != NULL && strcmp(unit, "MB/s") == 0 ? value * mean / time
                                                     : value * time / mean;
}
