/* SPDX-License-Identifier: BSD-3-Clause */
#include "repetition.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/doubtful.h"
#include "stats/stats.h"

static const char END[] = ".json";

int repetition_number(const struct variant *s, size_t i)
{
    const struct result_file *f = &s->file[i];
    const char *end = f->path + strlen(f->path);
    const char *from;

    if (f->run > 0)
        return f->run;
    if (end - f->path <= (long)strlen(END))
        return (int)i + 1;
    end -= strlen(END);
    for (from = end; from > f->path && isdigit((unsigned char)from[-1]);)
        from--;
    return from < end && end - from < 8 && from > f->path && from[-1] == '-'
               ? atoi(from)
               : (int)i + 1;
}

static int number_of(const struct repetition *r, const struct result_file *f)
{
    return repetition_number(r->variant, (size_t)(f - r->variant->file));
}

/* Where the row is among those of the first run; their number: it has none. */
static size_t of_first(const struct variant *s, const struct run_row *seen)
{
    const json_t *row;
    size_t i;

    json_array_foreach(s->file[0].rows, i, row)
    {
        char key[ROW_KEY];

        result_row_key(row, key, sizeof key);
        if (strcmp(key, seen->id.key) == 0)
            return i;
    }
    return json_array_size(s->file[0].rows);
}

/* The interval and the groups of the row's figures; log is room for them. */
static void foresee(struct repetition_row *row, double *log_of)
{
    for (size_t i = 0; i < row->runs; i++) {
        if (!(row->figure[i] > 0))
            return;
        log_of[i] = log(row->figure[i]);
    }
    stats_sort(log_of, row->runs);
    row->groups = run_groups_of(log_of, row->runs);
    row->next = next_run_of(log_of, row->runs);
}

/* Out of n runs of one row. */
static struct repetition_row row_of(const struct repetition *r,
                                    const struct run_row *seen, size_t n,
                                    double *room)
{
    struct repetition_row row = { .id = seen->id,
                                  .runs = n,
                                  .doubtful = doubtful_row(seen, n) };
    struct stats stats;

    row.of_first = of_first(r->variant, seen);
    row.run = given_memory(malloc(n * sizeof *row.run));
    row.headline = given_memory(malloc(n * sizeof *row.headline));
    row.figure = given_memory(malloc(n * sizeof *row.figure));
    for (size_t i = 0; i < n; i++) {
        row.run[i] = number_of(r, seen[i].file);
        row.headline[i] = number_in(seen[i].row, "value");
        row.figure[i] = result_row_figure(seen[i].row);
    }
    memcpy(room, row.headline, n * sizeof *room);
    row.value = stats_median(room, n);
    memcpy(room, row.figure, n * sizeof *room);
    stats = stats_of(room, n);
    row.median = stats.median;
    row.min = stats.min;
    row.max = stats.max;
    row.spread = stats.mean > 0 ? stats.stddev / stats.mean : 0;
    foresee(&row, room);
    return row;
}

static int by_first(const void *a, const void *b)
{
    const struct repetition_row *x = a, *y = b;

    return x->of_first != y->of_first   ? (x->of_first > y->of_first ? 1 : -1)
           : x->id.bytes != y->id.bytes ? (x->id.bytes > y->id.bytes ? 1 : -1)
                                        : strcmp(x->id.key, y->id.key);
}

void repetition_make(struct repetition *r, const struct variant *variant,
                     const struct may_differ *may)
{
    size_t count, end;
    struct run_row *seen = run_rows_of(variant, 1, may, &count);
    double *room = given_memory(malloc((count + 1) * sizeof *room));

    *r = (struct repetition){ .variant = variant };
    r->row = given_memory(malloc((count + 1) * sizeof *r->row));
    for (size_t i = 0; i < count; i = end) {
        end = run_rows_end(seen, i, count);
        r->row[r->rows++] = row_of(r, seen + i, end - i, room);
    }
    qsort(r->row, r->rows, sizeof *r->row, by_first);
    free(room);
    free(seen);
}

void repetition_release(struct repetition *r)
{
    for (size_t i = 0; i < r->rows; i++) {
        free(r->row[i].run);
        free(r->row[i].headline);
        free(r->row[i].figure);
    }
    free(r->row);
    *r = (struct repetition){ .rows = 0 };
}

int repetition_row_of_first(const struct repetition *r, size_t i)
{
    for (size_t k = 0; k < r->rows; k++)
        if (r->row[k].of_first == i)
            return (int)k;
    return REPETITION_NO_ROW;
}

bool repetition_is_upper(const struct repetition_row *row, size_t i)
{
    return log(row->figure[i]) >
           (row->groups.middle[0] + row->groups.middle[1]) / 2;
}

int repetition_changes(const struct repetition_row *row)
{
    int n = 0;

    for (size_t i = 1; i < row->runs; i++)
        n += repetition_is_upper(row, i) != repetition_is_upper(row, i - 1);
    return n;
}

/* How far the interval of a row reaches from its median, as a factor; HUGE_VAL: it has
   none. */
static double reach_of(const struct repetition_row *row)
{
    return row->next.by == NULL ? HUGE_VAL
                                : fmax(row->next.high / row->median,
                                       row->median / row->next.low);
}

bool repetition_is_apart(const struct repetition_row *row)
{
    return row->min > 0 &&
           (row->next.by == NULL ? row->max / row->min : reach_of(row)) >
               REPETITION_APART;
}

double repetition_widest(const struct repetition *r)
{
    double widest = r->rows > 0 ? 1 : HUGE_VAL;

    for (size_t i = 0; i < r->rows; i++)
        widest = fmax(widest, reach_of(&r->row[i]));
    return widest - 1;
}

const char *repetition_widest_words(const struct repetition *r, int decimals,
                                    char text[24])
{
    const double widest = repetition_widest(r);

    if (widest == HUGE_VAL)
        return NULL;
    if (widest > REPETITION_APART - 1)
        snprintf(text, 24, ">%.0f", 100 * (REPETITION_APART - 1));
    else
        snprintf(text, 24, "%.*f", decimals, 100 * widest);
    return text;
}

json_t *repetition_table(const struct repetition *r)
{
    const struct result_file *f = &r->variant->file[0];
    const size_t n = strlen(f->path);
    char *path, *text, *line, *rest = NULL, why[WHY];
    json_t *lines;
    size_t size;

    if (f->table != NULL)
        return json_incref(f->table);
    if (n < strlen(END) || strcmp(f->path + n - strlen(END), END) != 0)
        return NULL;
    if (asprintf(&path, "%.*s.txt", (int)(n - strlen(END)), f->path) < 0)
        memory_is_short();
    text = result_file_text(path, &size, why);
    free(path);
    if (text == NULL)
        return NULL;
    text[size] = '\0';
    lines = given_memory(json_array());
    for (rest = text; (line = strsep(&rest, "\n")) != NULL;)
        if (rest != NULL || line[0] != '\0')
            json_array_append_new(lines, json_text(line));
    free(text);
    return lines;
}
