/* SPDX-License-Identifier: BSD-3-Clause */
#include "row_limits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats/stats.h"

enum { FORM = 1, WIDTH = 4 };

/* Half the width of what is expected, in logarithms; the median into *middle. */
static double width_of(double *figures, size_t n, double least, double *middle)
{
    *middle = stats_median(figures, n);
    return fmax(log1p(least), WIDTH * stats_deviation(figures, n, *middle));
}

static void note_width(struct far_limits *far, const struct row_id *id,
                       double width, double least)
{
    far->rows++;
    if (width <= fmax(log(LIMIT_FAR), log1p(least)))
        return;
    far->n++;
    if (exp(width) <= far->factor)
        return;
    far->factor = exp(width);
    far->furthest = *id;
}

/* distance: of each run from the median, in logarithms, above 0 where it is worse. */
static void note_split(struct far_limits *far, const struct row_id *id,
                       const double *distance, size_t n, double width)
{
    size_t beyond = 0;

    for (size_t i = 0; i < n; i++)
        beyond += distance[i] > width;
    if (5 * beyond <= n)
        return;
    far->split++;
    if (beyond * far->runs < far->beyond * n)
        return;
    far->most_split = *id;
    far->beyond = beyond;
    far->runs = n;
}

/* Of n runs of a row; NULL: too few have a figure above 0. */
static json_t *learn_row(const struct run_row *seen, size_t n, double least,
                         struct far_limits *far)
{
    const struct row_id *id = &seen->id;
    const bool rate = strcmp(id->unit, "MB/s") == 0;
    double *figures = given_memory(malloc(n * sizeof *figures));
    double *distance = given_memory(malloc(n * sizeof *distance));
    double middle = 0, width = 0;
    size_t known = 0;

    for (size_t i = 0; i < n; i++)
        if (result_row_figure(seen[i].row) > 0)
            figures[known++] = log(result_row_figure(seen[i].row));
    memcpy(distance, figures, known * sizeof *distance);
    if (known > 0)
        width = width_of(figures, known, least, &middle);
    for (size_t i = 0; i < known; i++)
        distance[i] = rate ? middle - distance[i] : distance[i] - middle;
    if (2 * known > n) {
        note_width(far, id, width, least);
        note_split(far, id, distance, known, width);
    }
    free(figures);
    free(distance);
    if (2 * known <= n)
        return NULL;
    return given_memory(json_pack(
        "{s:s, s:s, s:s, s:s, s:f, s:f, s:I}", "benchmark", id->benchmark,
        "placement", id->place, "row", id->key, "unit", id->unit,
        rate ? "at_least" : "at_most", exp(middle + (rate ? -width : width)),
        "median", exp(middle), "runs", (json_int_t)known));
}

static void note_unlearned(struct far_limits *far, const struct row_id *id)
{
    if (far->unlearned++ == 0)
        far->first_unlearned = *id;
}

static bool is_among(const struct run_row *seen, size_t count,
                     const struct row_id *id)
{
    for (size_t i = 0; i < count; i++)
        if (row_id_equal(&seen[i].id, id))
            return true;
    return false;
}

/* Rows of which no run counts. */
static void note_left_out(const struct variant *s, const struct run_row *seen,
                          size_t n, struct far_limits *far)
{
    const struct may_differ none = { .n = 0 };
    size_t count, end;
    struct run_row *out = run_rows_left_out(s, 1, &none, &count);

    for (size_t i = 0; i < count; i = end) {
        end = run_rows_end(out, i, count);
        if (!is_among(seen, n, &out[i].id))
            note_unlearned(far, &out[i].id);
    }
    free(out);
}

/* False: some row has too few runs. */
static bool learn_rows(json_t *rows, const struct variant *s, double least,
                       struct far_limits *far, char why[WHY])
{
    const struct may_differ none = { .n = 0 };
    size_t count, end;
    struct run_row *seen = run_rows_of(s, 1, &none, &count);
    bool good = true;

    for (size_t i = 0; i < count && good; i = end) {
        json_t *row;

        end = run_rows_end(seen, i, count);
        good = end - i >= LIMIT_RUNS ||
               refuse(why,
                      "%s, %s, %s: %zu run%s; learning limits takes at least "
                      "%d",
                      seen[i].id.benchmark, seen[i].id.place, seen[i].id.key,
                      end - i, end - i == 1 ? "" : "s", LIMIT_RUNS);
        row = good ? learn_row(seen + i, end - i, least, far) : NULL;
        if (row != NULL) {
            json_array_append_new(rows, row);
            doubtful_add(&far->doubtful, &seen[i].id,
                         doubtful_row(seen + i, end - i));
        } else if (good)
            note_unlearned(far, &seen[i].id);
    }
    note_left_out(s, seen, count, far);
    free(seen);
    return good;
}

static bool write_limits(FILE *to, const void *limits)
{
    return json_dumpf(limits, to, JSON_INDENT(1) | JSON_REAL_PRECISION(6)) == 0;
}

bool limits_learn(const char *path, const struct variant *s, double least,
                  struct far_limits *far, char why[WHY])
{
    json_t *rows = json_array(), *all;
    bool good;

    *far = (struct far_limits){ .n = 0 };
    good = learn_rows(rows, s, least, far, why);
    all = given_memory(json_pack("{s:i, s:s, s:o, s:o}", "alidade_limits", FORM,
                                 "learned", s->name, "measured_as",
                                 conditions_of(s), "rows", rows));
    good = good && write_file(path, write_limits, all, why);
    json_decref(all);
    return good;
}

static bool copy(char *to, size_t room, const json_t *row, const char *name)
{
    const char *text = text_in(row, name);

    to[0] = '\0';
    text_add_word(to, room, "", text, room - 1);
    return text != NULL && strcmp(to, text) == 0;
}

/* NULL, or what is wrong with a row, of which *to is filled. */
static const char *read_row(const json_t *row, struct limit *to)
{
    struct row_id *id = &to->id;
    const json_t *most = json_object_get(row, "at_most");
    const json_t *least = json_object_get(row, "at_least");
    const json_t *bound = least != NULL ? least : most;

    if (!copy(id->benchmark, sizeof id->benchmark, row, "benchmark") ||
        !copy(id->place, sizeof id->place, row, "placement") ||
        !copy(id->key, sizeof id->key, row, "row") ||
        !copy(id->unit, sizeof id->unit, row, "unit"))
        return "lacks benchmark, placement, row or unit";
    if ((most == NULL) == (least == NULL) || !json_is_number(bound) ||
        !(json_number_value(bound) > 0 && json_number_value(bound) < 1e18))
        return "needs either at_most or at_least, above 0";
    if ((strcmp(id->unit, "us") == 0 && least != NULL) ||
        (strcmp(id->unit, "MB/s") == 0 && least == NULL))
        return "needs at_most for a time in us, at_least for MB/s";
    to->at_least = least != NULL;
    to->figure = json_number_value(bound);
    return NULL;
}

bool limits_read(struct limits *l, const char *path, char why[WHY])
{
    json_t *root = result_json_read(path, why), *rows, *row;
    const char *wrong = NULL;
    size_t i, number = 0; /* of the row that is wrong, from 1 */
    bool good;

    *l = (struct limits){ .rows = 0 };
    if (root == NULL)
        return false;
    rows = json_object_get(root, "rows");
    l->row = given_memory(calloc(json_array_size(rows) + 1, sizeof *l->row));
    if (whole_in(root, "alidade_limits") != FORM)
        wrong = "is not a limits file";
    else if (json_array_size(rows) == 0)
        wrong = "has no rows, and so no limits";
    json_array_foreach(rows, i, row)
    {
        if (wrong == NULL &&
            (wrong = read_row(row, &l->row[l->rows++])) != NULL)
            number = i + 1;
    }
    if (wrong == NULL)
        good = conditions_read(&l->conditions,
                               json_object_get(root, "measured_as"), path, why);
    else if (number == 0)
        good = refuse(why, "%s: %s", path, wrong);
    else
        good = refuse(why, "%s: row %zu %s", path, number, wrong);
    json_decref(root);
    if (!good)
        limits_release(l);
    return good;
}

void limits_release(struct limits *l)
{
    variant_release(&l->conditions);
    free(l->row);
    *l = (struct limits){ .rows = 0 };
}

const struct table_cell *limit_cell(const struct limit *l,
                                    const struct row_table *measured)
{
    for (size_t i = 0; i < measured->rows; i++)
        if (row_id_equal(&measured->row[i].id, &l->id) &&
            strcmp(measured->row[i].id.unit, l->id.unit) == 0)
            return &measured->row[i].cell[0];
    return NULL;
}

enum limit_is limit_check(const struct limit *l,
                          const struct row_table *measured, double *figure)
{
    const struct table_cell *cell = limit_cell(l, measured);

    *figure = cell != NULL ? cell->figure : 0;
    if (cell == NULL)
        return LIMIT_MISSING;
    return (l->at_least ? *figure >= l->figure : *figure <= l->figure)
               ? LIMIT_PASS
               : LIMIT_FAIL;
}

size_t limit_runs(const struct limit *l, const struct row_table *measured)
{
    const struct table_cell *cell = limit_cell(l, measured);

    return cell != NULL ? cell->runs : 0;
}
