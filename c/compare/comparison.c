/* SPDX-License-Identifier: BSD-3-Clause */
#include "comparison.h"

#include <stdlib.h>
#include <string.h>

#include "second_look.h"
#include "sighting.h"
#include "stats/stats.h"
#include "utf8.h"

static bool out_of_memory(char *why, size_t room)
{
    snprintf(why, room, "memory is short");
    return false;
}

static void add_lone(struct comparison *c, const struct sighting *seen)
{
    struct comparison_lone *lone = &c->lone[c->lones++];

    *lone = (struct comparison_lone){ .of = seen->subject };
    snprintf(lone->benchmark, sizeof lone->benchmark, "%s",
             seen->document->benchmark);
    snprintf(lone->place, sizeof lone->place, "%s", seen->place);
    snprintf(lone->key, sizeof lone->key, "%s", seen->key);
}

/* One row of the comparison; false: memory is short. */
static bool judge(struct comparison *c, const struct sighting *first, size_t n)
{
    const char *unit = json_string_value(json_object_get(first->row, "unit"));
    struct comparison_row *row = &c->row[c->rows];
    double *value = malloc(n * sizeof *value);
    size_t of_a = 0;
    bool good = value != NULL;

    while (of_a < n && first[of_a].subject == 0)
        of_a++;
    if (of_a == 0 || of_a == n) {
        add_lone(c, first);
        free(value);
        return good;
    }
    *row = (struct comparison_row){ .bytes = first->bytes,
                                    .launches = { of_a, n - of_a } };
    snprintf(row->benchmark, sizeof row->benchmark, "%s",
             first->document->benchmark);
    snprintf(row->place, sizeof row->place, "%s", first->place);
    snprintf(row->key, sizeof row->key, "%s", first->key);
    unit = unit != NULL ? unit : "";
    snprintf(row->unit, sizeof row->unit, "%.*s",
             utf8_within(unit, sizeof row->unit - 1), unit);
    for (int k = 0; k < 2 && good; k++) {
        const struct sighting *own = first + (k == 0 ? 0 : of_a);

        for (size_t i = 0; i < row->launches[k]; i++)
            value[i] = document_row_figure(own[i].row);
        row->figure[k] = stats_of(value, row->launches[k]).median;
    }
    for (size_t i = 0; i < n && good; i++)
        value[i] = document_row_time(first[i].row);
    good = good && judgement_of(value, of_a, value + of_a, n - of_a, c->margin,
                                &row->is);
    c->rows += good;
    free(value);
    return good;
}

static bool settle(struct comparison *c)
{
    const size_t n = c->rows;
    struct judgement *j = malloc((n > 0 ? n : 1) * sizeof *j);
    size_t *launches = malloc((n > 0 ? n : 1) * sizeof *launches);
    bool good = j != NULL && launches != NULL;

    for (size_t i = 0; i < n && good; i++) {
        const size_t *own = c->row[i].launches;

        j[i] = c->row[i].is;
        launches[i] = own[0] < own[1] ? own[0] : own[1];
    }
    good = good && judgement_settle(j, n, c->margin, launches, c->level);
    for (size_t i = 0; i < n && good; i++)
        c->row[i].is = j[i];
    free(j);
    free(launches);
    return good;
}

bool comparison_make(struct comparison *c, const struct subject *a,
                     const struct subject *b,
                     const struct comparison_options *options, char *why,
                     size_t room)
{
    const struct allowance *may = &options->may;
    struct sighting *seen;
    size_t count, end;
    bool good;

    *c = (struct comparison){ .subject = { a, b },
                              .margin = options->margin,
                              .level = judgement_level(options->look) };
    if (!comparison_allowed(a, b, may, why, room))
        return false;
    seen = sightings_of(c->subject, 2, may, &count);
    c->row = malloc((count + 1) * sizeof *c->row);
    c->lone = malloc((count + 1) * sizeof *c->lone);
    good = seen != NULL && c->row != NULL && c->lone != NULL;
    for (size_t i = 0; i < count && good; i = end) {
        end = sightings_end(seen, i, count);
        good = judge(c, seen + i, end - i);
    }
    good = good && settle(c);
    free(seen);
    if (good && c->rows > 0) {
        if (second_look(c, options, why, room))
            return true;
        comparison_release(c);
        return false;
    }
    comparison_release(c);
    if (!good)
        return out_of_memory(why, room);
    snprintf(why, room, "%s and %s have no row in common", a->name, b->name);
    return false;
}

void comparison_release(struct comparison *c)
{
    free(c->row);
    free(c->lone);
    c->row = NULL;
    c->lone = NULL;
    c->rows = c->lones = 0;
}

const struct comparison_row *comparison_row_of(const struct comparison *c,
                                               const char *benchmark,
                                               const char *place,
                                               const char *key)
{
    for (size_t i = 0; i < c->rows; i++)
        if (strcmp(c->row[i].benchmark, benchmark) == 0 &&
            strcmp(c->row[i].place, place) == 0 &&
            strcmp(c->row[i].key, key) == 0)
            return &c->row[i];
    return NULL;
}
