/* SPDX-License-Identifier: BSD-3-Clause */
#include "expectation.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fresh_file.h"
#include "measured_as.h"
#include "stats/stats.h"

enum { FORM = 1, WIDTH = 4 };

/* Of a normal distribution the standard deviation is so many median deviations. */
static const double DEVIATIONS = 1.4826;

static bool is_rate(const char *unit)
{
    return strcmp(unit, "MB/s") == 0;
}

/* Figures of the row in all launches, sorted; *n of them. */
static double *figures_of(const struct survey_row *row, const struct subject *s,
                          size_t *n)
{
    const struct allowance none = { NULL, 0 };
    double *figures = malloc((s->n + 1) * sizeof *figures);

    *n = 0;
    for (size_t i = 0; i < s->n && figures != NULL; i++) {
        const struct document *d = &s->document[i];
        char place[COMPARISON_PLACE], key[COMPARISON_KEY];
        const json_t *r;
        size_t k;

        comparison_place(d, &none, place);
        if (strcmp(d->benchmark, row->benchmark) != 0 ||
            strcmp(place, row->place) != 0)
            continue;
        json_array_foreach(d->rows, k, r)
        {
            document_row_key(r, key, sizeof key);
            if (strcmp(key, row->key) == 0 && document_row_counts(r) &&
                document_row_figure(r) > 0) {
                figures[(*n)++] = log(document_row_figure(r));
                break;
            }
        }
    }
    return figures;
}

/* Half the width of what is expected, in logarithms; the median into *middle. */
static double width_of(double *figures, size_t n, double least, double *middle)
{
    *middle = stats_of(figures, n).median;
    for (size_t i = 0; i < n; i++)
        figures[i] = fabs(figures[i] - *middle);
    return fmax(log1p(least), WIDTH * DEVIATIONS * stats_of(figures, n).median);
}

static json_t *learn_row(const struct survey_row *row, const struct subject *s,
                         double least)
{
    const bool rate = is_rate(row->unit);
    double middle, width, *figures;
    size_t n;

    figures = figures_of(row, s, &n);
    if (figures == NULL || n == 0) {
        free(figures);
        return NULL;
    }
    width = width_of(figures, n, least, &middle);
    free(figures);
    return json_pack("{s:s, s:s, s:s, s:s, s:f, s:f, s:I}", "benchmark",
                     row->benchmark, "place", row->place, "row", row->key,
                     "unit", row->unit, rate ? "at_least" : "at_most",
                     exp(middle + (rate ? -width : width)), "median",
                     exp(middle), "launches", (json_int_t)n);
}

bool expectations_learn(const char *path, const struct subject *s, double least,
                        char *why, size_t room)
{
    json_t *rows = json_array(), *all;
    struct fresh_file file;
    const struct allowance none = { NULL, 0 };
    struct survey survey;
    bool good = survey_make(&survey, s, 1, &none);

    if (!good)
        snprintf(why, room, "memory is short");
    for (size_t i = 0; i < survey.rows && good; i++) {
        const struct survey_row *row = &survey.row[i];

        if (row->cell[0].launches < EXPECTATION_LAUNCHES) {
            snprintf(why, room,
                     "%s, %s, %s: %zu launches; to learn what is usual takes "
                     "%d at least",
                     row->benchmark, row->place, row->key,
                     row->cell[0].launches, EXPECTATION_LAUNCHES);
            good = false;
        } else if (row->cell[0].figure > 0) {
            good = json_array_append_new(rows, learn_row(row, s, least)) == 0;
            if (!good)
                snprintf(why, room, "memory is short");
        }
    }
    survey_release(&survey);
    all = json_pack("{s:i, s:s, s:o, s:o}", "alidade_expectations", FORM,
                    "learned", s->name, "measured_as", measured_as_of(s),
                    "rows", rows);
    if (good && all == NULL) {
        snprintf(why, room, "memory is short");
        good = false;
    }
    if (good &&
        (!fresh_file_begin(&file, path) ||
         !fresh_file_end(&file, json_dumpf(all, file.to,
                                           JSON_INDENT(1) |
                                               JSON_REAL_PRECISION(6)) == 0))) {
        snprintf(why, room, "%s: %s", path, strerror(errno));
        good = false;
    }
    json_decref(all);
    return good;
}

/* NULL, or what is wrong with a row, of which *e is filled. */
static const char *read_row(const json_t *row, struct expectation *e)
{
    static const char *const names[] = { "benchmark", "place", "row", "unit" };
    char *const to[] = { e->benchmark, e->place, e->key, e->unit };
    const size_t room[] = { sizeof e->benchmark, sizeof e->place, sizeof e->key,
                            sizeof e->unit };
    const json_t *most = json_object_get(row, "at_most");
    const json_t *least = json_object_get(row, "at_least");
    const json_t *limit = least != NULL ? least : most;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *text = json_string_value(json_object_get(row, names[i]));

        if (text == NULL || strlen(text) >= room[i])
            return "a row lacks benchmark, place, row or unit";
        snprintf(to[i], room[i], "%s", text);
    }
    if ((most == NULL) == (least == NULL) || !json_is_number(limit) ||
        !(json_number_value(limit) > 0 && json_number_value(limit) < 1e18))
        return "a row has not one of at_most and at_least, above 0";
    e->at_least = least != NULL;
    e->limit = json_number_value(limit);
    return NULL;
}

static bool read_rows(struct expectations *e, const json_t *rows,
                      const char **wrong)
{
    const json_t *row;
    size_t i;

    e->row = malloc((json_array_size(rows) + 1) * sizeof *e->row);
    *wrong = e->row == NULL ? strerror(ENOMEM) : NULL;
    if (*wrong == NULL && json_array_size(rows) == 0)
        *wrong = "expects nothing: it has no rows";
    json_array_foreach(rows, i, row)
    {
        if (*wrong == NULL)
            *wrong = read_row(row, &e->row[e->rows++]);
    }
    return *wrong == NULL;
}

bool expectations_of(struct expectations *e, const char *name, const char *text,
                     size_t n, char *why, size_t room)
{
    const char *wrong = "is no file of expectations";
    json_error_t error;
    json_t *root = json_loadb(text, n, 0, &error);
    bool good;

    *e = (struct expectations){ .path = strdup(name) };
    if (root == NULL)
        snprintf(why, room, "%s: is not JSON: line %d: %.200s", name,
                 error.line, error.text);
    good = root != NULL &&
           json_integer_value(json_object_get(root, "alidade_expectations")) ==
               FORM &&
           read_rows(e, json_object_get(root, "rows"), &wrong) &&
           measured_as_read(&e->as, json_object_get(root, "measured_as"), name,
                            &wrong);
    if (root != NULL && !good)
        snprintf(why, room, "%s: %s", name, wrong);
    json_decref(root);
    if (!good)
        expectations_release(e);
    return good;
}

bool expectations_read(struct expectations *e, const char *path, char *why,
                       size_t room)
{
    char what[300];
    size_t n = 0;
    char *text = document_text(path, &n, what, sizeof what);
    bool good;

    if (text == NULL) {
        snprintf(why, room, "%s: %s", path, what);
        return false;
    }
    good = expectations_of(e, path, text, n, why, room);
    free(text);
    return good;
}

void expectations_release(struct expectations *e)
{
    subject_release(&e->as);
    free(e->row);
    free(e->path);
    *e = (struct expectations){ .path = NULL };
}

enum expected expectation_check(const struct expectation *e,
                                const struct survey *measured, double *figure)
{
    *figure = 0;
    for (size_t i = 0; i < measured->rows; i++) {
        const struct survey_row *row = &measured->row[i];

        if (strcmp(row->benchmark, e->benchmark) != 0 ||
            strcmp(row->place, e->place) != 0 ||
            strcmp(row->key, e->key) != 0 || strcmp(row->unit, e->unit) != 0)
            continue;
        *figure = row->cell[0].figure;
        return (e->at_least ? *figure >= e->limit : *figure <= e->limit)
                   ? EXPECTED_PASS
                   : EXPECTED_FAIL;
    }
    return EXPECTED_MISSING;
}
