/* SPDX-License-Identifier: BSD-3-Clause */
#ifdef HAVE_CONFIG_H
#    include "config.h"
#endif

#include <math.h>
#include <stdlib.h>

#include "repetition_print.h"

enum { REPEAT = 1 }; /* number of this form */

static json_t *next_of(const struct repetition_row *row)
{
    if (row->next.by == NULL || repetition_is_apart(row))
        return json_null();
    return json_pack("{s:f, s:f, s:s}", "low", row->next.low, "high",
                     row->next.high, "by", row->next.by);
}

/* One of the two groups. */
static json_t *group_of(const struct repetition_row *row, int which)
{
    json_t *runs = given_memory(json_array());

    for (size_t i = 0; i < row->runs; i++)
        if (repetition_is_upper(row, i) == (which == 1))
            json_array_append_new(runs, json_integer(row->run[i]));
    return json_pack("{s:f, s:o}", "median", exp(row->groups.middle[which]),
                     "runs", runs);
}

static json_t *groups_of(const struct repetition_row *row)
{
    if (row->groups.lower == 0)
        return json_null();
    return json_pack("{s:f, s:i, s:o, s:o}", "ratio",
                     exp(row->groups.middle[1] - row->groups.middle[0]),
                     "changes", repetition_changes(row), "lower",
                     group_of(row, 0), "upper", group_of(row, 1));
}

/* Each run's number and both its values. */
static json_t *values_of(const struct repetition_row *row)
{
    json_t *all = given_memory(json_array());

    for (size_t i = 0; i < row->runs; i++)
        json_array_append_new(
            all, given_memory(json_pack("{s:i, s:f, s:f}", "run", row->run[i],
                                        "value", row->headline[i], "median",
                                        row->figure[i])));
    return all;
}

static json_t *row_of(const struct repetition_row *row)
{
    return given_memory(json_pack(
        "{s:s, s:s, s:o, s:s, s:i, s:f, s:f, s:f, s:f, s:f, s:o, s:o, s:s?, s:o}",
        "placement", row->id.place, "row", row->id.key, "bytes",
        row->id.bytes < 0 ? json_null()
                          : json_integer((json_int_t)row->id.bytes),
        "unit", row->id.unit, "runs", (int)row->runs, "value", row->value,
        "median", row->median, "min", row->min, "max", row->max, "spread",
        row->spread, "next_run", given_memory(next_of(row)), "groups",
        given_memory(groups_of(row)), "doubtful", row->doubtful, "values",
        values_of(row)));
}

/* "3: why" */
static json_t *failed_of(const struct repetition_made *made)
{
    json_t *all = given_memory(json_array());

    for (size_t i = 0; i < made->failed.n; i++) {
        char *why;
        const long run = strtol(made->failed.text[i], &why, 10);

        while (*why == ':' || *why == ' ')
            why++;
        json_array_append_new(
            all, given_memory(json_pack("{s:i, s:o}", "run", (int)run, "reason",
                                        json_text(why))));
    }
    return all;
}

static json_t *results_of(const struct repetition *r)
{
    json_t *all = given_memory(json_array());

    for (size_t i = 0; i < r->variant->n; i++) {
        json_t *table = i == 0 ? repetition_table(r) : NULL;
        json_t *run = given_memory(
            json_pack("{s:i, s:O}", "run", repetition_number(r->variant, i),
                      "result", r->variant->file[i].root));

        if (table != NULL)
            json_object_set_new(run, "table", table);
        json_array_append_new(all, run);
    }
    return all;
}

bool repetition_json(FILE *to, const void *repetition)
{
    const struct repetition *r = repetition;
    const struct repetition_made *made = &r->made;
    json_t *rows = given_memory(json_array()), *all;

    for (size_t i = 0; i < r->rows; i++)
        json_array_append_new(rows, row_of(&r->row[i]));
    all = given_memory(json_pack(
        "{s:s, s:i, s:s, s:s, s:i, s:f, s:o, s:o, s:o, s:o, s:o}", "suite",
        "Alidade", "repeat", REPEAT, "version", PACKAGE_VERSION, "benchmark",
        r->variant->file[0].benchmark, "runs", (int)r->variant->n, "level",
        0.95, "precision",
        made->precision > 0 ? json_real(made->precision) : json_null(), "stop",
        json_text(made->stop), "failed", failed_of(made), "rows", rows,
        "result_files", results_of(r)));
    return json_print(to, all);
}
