/* SPDX-License-Identifier: BSD-3-Clause */
#include "survey.h"

#include <stdlib.h>
#include <string.h>

#include "sighting.h"
#include "stats/stats.h"
#include "utf8.h"

static const char *const tails[SURVEY_TAILS] = { "90", "99", "99.9" };

/* That percentile to the median, of one launch; 0: unknown. */
static double tail_of(const json_t *row, const char *percentile)
{
    const json_t *laps = json_object_get(row, "over_laps");
    const double median = json_number_value(json_object_get(laps, "median_us"));
    const double tail = json_number_value(
        json_object_get(json_object_get(laps, "percentiles_us"), percentile));

    return median > 0 ? tail / median : 0;
}

static bool drifts(const json_t *row)
{
    return json_is_true(json_object_get(
        json_object_get(json_object_get(row, "shape"), "drift"), "drifts"));
}

/* Of n launches of a subject; values has room for them. */
static struct survey_cell cell_of(const struct sighting *seen, size_t n,
                                  double *values)
{
    struct survey_cell cell = { .launches = n };
    struct stats stats;

    for (size_t i = 0; i < n; i++) {
        values[i] = document_row_figure(seen[i].row);
        cell.drifting += drifts(seen[i].row);
    }
    stats = stats_of(values, n);
    cell.figure = stats.median;
    cell.low = stats.min;
    cell.high = stats.max;
    for (int k = 0; k < SURVEY_TAILS; k++) {
        size_t known = 0;

        for (size_t i = 0; i < n; i++) {
            values[known] = tail_of(seen[i].row, tails[k]);
            known += values[known] > 0;
        }
        cell.tail[k] = stats_of(values, known).median;
    }
    return cell;
}

static void add_row(struct survey *s, const struct sighting *seen, size_t n,
                    double *values)
{
    const char *unit = json_string_value(json_object_get(seen->row, "unit"));
    struct survey_row *row = &s->row[s->rows++];
    size_t end;

    *row = (struct survey_row){ .bytes = seen->bytes };
    snprintf(row->benchmark, sizeof row->benchmark, "%s",
             seen->document->benchmark);
    snprintf(row->place, sizeof row->place, "%s", seen->place);
    snprintf(row->key, sizeof row->key, "%s", seen->key);
    unit = unit != NULL ? unit : "";
    snprintf(row->unit, sizeof row->unit, "%.*s",
             utf8_within(unit, sizeof row->unit - 1), unit);
    for (size_t i = 0; i < n; i = end) {
        for (end = i + 1; end < n && seen[end].subject == seen[i].subject;)
            end++;
        row->cell[seen[i].subject] = cell_of(seen + i, end - i, values);
    }
}

bool survey_make(struct survey *s, const struct subject *subject, int n,
                 const struct allowance *may)
{
    struct sighting *seen;
    size_t count, end;
    double *values;
    bool good;

    *s = (struct survey){ .subject = subject, .subjects = n, .may = *may };
    seen = sightings_of_all(subject, n, may, &count);
    values = malloc((count + 1) * sizeof *values);
    s->row = malloc((count + 1) * sizeof *s->row);
    good = seen != NULL && values != NULL && s->row != NULL;
    for (size_t i = 0; i < count && good; i = end) {
        end = sightings_end(seen, i, count);
        add_row(s, seen + i, end - i, values);
    }
    if (!good)
        survey_release(s);
    free(seen);
    free(values);
    return good;
}

void survey_release(struct survey *s)
{
    free(s->row);
    s->row = NULL;
    s->rows = 0;
}

size_t survey_next(const struct survey *s, size_t i)
{
    const struct survey_row *row = &s->row[i];

    do
        i++;
    while (i < s->rows && strcmp(s->row[i].benchmark, row->benchmark) == 0 &&
           strcmp(s->row[i].place, row->place) == 0);
    return i;
}

size_t survey_next_benchmark(const struct survey *s, size_t i)
{
    const char *benchmark = s->row[i].benchmark;

    do
        i = survey_next(s, i);
    while (i < s->rows && strcmp(s->row[i].benchmark, benchmark) == 0);
    return i;
}
