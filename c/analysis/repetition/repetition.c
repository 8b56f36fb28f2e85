/* SPDX-License-Identifier: BSD-3-Clause */
#ifdef HAVE_CONFIG_H
#    include "config.h"
#endif

#include "repetition.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats/stats.h"

enum { REPEAT = 1 }; /* number of the form in JSON */

/* The row of the table; log_of is room for its runs. */
static struct repetition_row row_of(const struct table_row *of, double *log_of)
{
    const struct table_cell *cell = &of->cell[0];
    struct repetition_row row = { .id = &of->id, .cell = cell };
    struct moments all = { .n = 0 };

    if (cell->runs == 0)
        return row;
    for (size_t i = 0; i < cell->runs; i++) {
        log_of[i] = number_in(cell->run[i].row, "value");
        moments_add(&all, &cell->run[i].figure, 1);
    }
    row.value = stats_median(log_of, cell->runs);
    if (cell->runs > 1 && moments_mean(&all) > 0)
        row.spread = moments_stddev(&all) / moments_mean(&all);
    if (!(cell->low > 0))
        return row;
    for (size_t i = 0; i < cell->runs; i++)
        log_of[i] = log(cell->run[i].figure);
    stats_sort(log_of, cell->runs);
    row.groups = run_groups_of(log_of, cell->runs);
    row.next = next_run_of(log_of, cell->runs);
    return row;
}

void repetition_make(struct repetition *r, struct variant *variant,
                     const struct may_differ *may)
{
    double *room;

    variant_number_runs(variant);
    *r = (struct repetition){ .rows = 0 };
    row_table_make(&r->table, variant, 1, may);
    r->row = given_memory(malloc((r->table.all + 1) * sizeof *r->row));
    for (; r->all < r->table.all; r->all++) {
        room = given_memory(
            calloc(r->table.row[r->all].cell[0].runs + 1, sizeof *room));
        r->row[r->all] = row_of(&r->table.row[r->all], room);
        free(room);
    }
    r->rows = r->table.rows;
}

void repetition_release(struct repetition *r)
{
    row_table_release(&r->table);
    free(r->row);
    *r = (struct repetition){ .rows = 0 };
}

/* Is run i in the upper one of the two groups? */
static bool is_upper(const struct repetition_row *row, size_t i)
{
    return log(row->cell->run[i].figure) >
           (row->groups.middle[0] + row->groups.middle[1]) / 2;
}

/* How often a run and the next one are of different groups.  Once or twice: the machine
   changed meanwhile.  About half of the runs: each run draws its group anew. */
static int changes(const struct repetition_row *row)
{
    int n = 0;

    for (size_t i = 1; i < row->cell->runs; i++)
        n += is_upper(row, i) != is_upper(row, i - 1);
    return n;
}

/* Beyond it, as a factor, nothing is said of the next run. */
static const double APART = 2;

/* How far the interval of a row reaches from its median, as a factor; HUGE_VAL: it has
   none. */
static double reach_of(const struct repetition_row *row)
{
    return row->next.by == NULL ? HUGE_VAL
                                : fmax(row->next.high / row->cell->figure,
                                       row->cell->figure / row->next.low);
}

/* Do the runs differ so much that no interval predicts the next one?  An end of theirs is
   further from the median than APART, or the runs are too few for an interval and the
   smallest and the largest one are. */
static bool is_apart(const struct repetition_row *row)
{
    return row->cell->low > 0 &&
           (row->next.by == NULL ? row->cell->high / row->cell->low
                                 : reach_of(row)) > APART;
}

const char *repetition_widest(const struct repetition *r, int decimals,
                              char text[24])
{
    double widest = r->rows > 0 ? 1 : HUGE_VAL;

    for (size_t i = 0; i < r->rows; i++)
        widest = fmax(widest, reach_of(&r->row[i]));
    if (widest == HUGE_VAL)
        return NULL;
    if (widest > APART)
        snprintf(text, 24, ">%.0f", 100 * (APART - 1));
    else
        snprintf(text, 24, "%.*f", decimals, 100 * (widest - 1));
    return text;
}

/* --- The document ------------------------------------------------------------------ */

enum { NOTES = 8 };

/* A key without blanks: a known reader takes a number before a blank for a result. */
static const char *name_of(const struct row_id *id, char text[ROW_KEY])
{
    snprintf(text, ROW_KEY, "%s", id->key);
    for (char *c = text; (c = strchr(c, ' ')) != NULL;)
        *c = ',';
    return text;
}

static void add_groups(struct document *d, const struct repetition *r)
{
    char name[ROW_KEY];
    size_t found = 0;

    for (size_t i = 0; i < r->rows; i++) {
        const struct run_groups *g = &r->row[i].groups;

        if (g->lower > 0 && found++ < NOTES)
            document_add(d, DOCUMENT_NOTE,
                         "Groups: row=%s; lower=%.4g; upper=%.4g; ratio=%.3f; "
                         "changes=%d; lower-runs=%zu; upper-runs=%zu;",
                         name_of(r->row[i].id, name), exp(g->middle[0]),
                         exp(g->middle[1]), exp(g->middle[1] - g->middle[0]),
                         changes(&r->row[i]), g->lower,
                         r->row[i].cell->runs - g->lower);
    }
    if (found > NOTES)
        document_add(d, DOCUMENT_NOTE, "Groups: more-rows=%zu;", found - NOTES);
}

/* Rows of which no interval says where the next run will be. */
static void add_apart(struct document *d, const struct repetition *r)
{
    const struct repetition_row *most = NULL;
    double factor = 0;
    char name[ROW_KEY];
    size_t n = 0;

    for (size_t i = 0; i < r->rows; i++) {
        const struct repetition_row *row = &r->row[i];

        if (is_apart(row) && ++n > 0 &&
            row->cell->high / row->cell->low > factor) {
            most = row;
            factor = row->cell->high / row->cell->low;
        }
    }
    if (most != NULL)
        document_add(d, DOCUMENT_NOTE,
                     "Apart: rows=%zu of %zu; row=%s; runs differ by a factor "
                     "of %.*f; no interval predicts the next run: look at "
                     "placement (where) and at other load;",
                     n, r->rows, name_of(most->id, name), factor < 10 ? 1 : 0,
                     factor);
}

static void add_doubtful(struct document *d, const struct repetition *r)
{
    const struct doubtful all = doubtful_rows(&r->table, 0);
    char text[WHY] = "", name[ROW_KEY];

    if (all.n == 0)
        return;
    for (size_t i = 0; i < all.n && i < DOUBTFUL_NAMED; i++)
        text_add(text, sizeof text, " row=%s;", name_of(&all.first[i], name));
    if (all.n > DOUBTFUL_NAMED)
        text_add(text, sizeof text, " more-rows=%zu;", all.n - DOUBTFUL_NAMED);
    document_add(d, DOCUMENT_NOTE, "Disturbed: rows=%zu of %zu; why=%s;%s",
                 all.n, all.rows, all.why, text);
}

static void add_notes(struct document *d, const struct repetition *r)
{
    const struct repetition_made *made = &r->made;
    char text[24], more[WHY] = "";

    if (repetition_widest(r, 1, text) != NULL)
        text_add(more, sizeof more, "; widest=%s%%", text);
    if (made->precision > 0)
        text_add(more, sizeof more, "; wanted=%g%%", 100 * made->precision);
    text_add_word(more, sizeof more, "; stop=", made->stop, 40);
    document_add(d, DOCUMENT_NOTE,
                 "Repeat: runs=%zu; failed=%zu; interval=95%%-next-run%s;",
                 r->table.variant->n, made->failed.n, more);
    add_apart(d, r);
    add_doubtful(d, r);
    add_groups(d, r);
}

static void begin_table(struct document *d, const char *unit)
{
    static const char *const heading[] = { "Value", "Median", "Next Low",
                                           "Next High" };
    enum { UNITS = sizeof heading / sizeof *heading };
    struct document_column column[UNITS + 3] = { { "Size", 10, COLUMN_LEFT } };

    for (size_t k = 0; k < UNITS; k++) {
        column[k + 1].width = 17;
        snprintf(column[k + 1].heading, sizeof column->heading, "%s(%s)",
                 heading[k], unit);
    }
    column[UNITS + 1] = (struct document_column){ "Spread(%)", 17, 0 };
    column[UNITS + 2] = (struct document_column){ "Runs", 17, 0 };
    document_table(d, column, UNITS + 3);
}

/* Two decimals of 0.13 us are steps of 8%. */
static void add_figure(struct document *d, const struct repetition_row *row,
                       bool known, double value)
{
    document_cell(d, known ? "%.*f" : "-", row->cell->figure < 10 ? 4 : 2,
                  value);
}

static void add_row(struct document *d, const struct repetition_row *row)
{
    const struct table_cell *cell = row->cell;
    const bool any = cell->runs > 0;
    const bool foreseen = row->next.by != NULL && !is_apart(row);

    document_cell(d, row->id->bytes < 0 ? "%s" : "%s%.0f", "", row->id->bytes);
    document_cell(d, any ? "%.2f" : "-", row->value);
    add_figure(d, row, any, cell->figure);
    add_figure(d, row, foreseen, row->next.low);
    add_figure(d, row, foreseen, row->next.high);
    document_cell(d, cell->runs < 2 ? "-" : "%.2f", 100 * row->spread);
    document_cell(d, "%zu", cell->runs);
}

/* Was a row of the same level and unit before? */
static bool has_begun(const struct repetition *r, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (strcmp(row_id_level(r->row[k].id), row_id_level(r->row[i].id)) == 0)
            return true;
    return false;
}

void repetition_add(struct document *d, const struct repetition *r)
{
    const char *title = text_in(r->table.variant->file[0].method, "title");
    const char *unit = "";

    add_notes(d, r);
    if (title != NULL)
        document_add(d, DOCUMENT_TITLE, "%s%s", title,
                     strncmp(title, "OSU ", 4) == 0 ? " v7.4" : "");
    for (size_t i = 0; i < r->all; i++) {
        if (has_begun(r, i))
            continue;
        if (i == 0 || strcmp(r->row[i].id->unit, unit) != 0)
            begin_table(d, unit = r->row[i].id->unit);
        document_group(d, row_id_level(r->row[i].id));
        for (size_t k = i; k < r->all; k++)
            if (strcmp(row_id_level(r->row[k].id),
                       row_id_level(r->row[i].id)) == 0)
                add_row(d, &r->row[k]);
    }
}

/* --- JSON -------------------------------------------------------------------------- */

/* One of the two groups. */
static json_t *group_json(const struct repetition_row *row, int which)
{
    json_t *runs = given_memory(json_array());

    for (size_t i = 0; i < row->cell->runs; i++)
        if (is_upper(row, i) == (which == 1))
            json_array_append_new(runs,
                                  json_integer(row->cell->run[i].file->run));
    return json_pack("{s:f, s:o}", "median", exp(row->groups.middle[which]),
                     "runs", runs);
}

static json_t *groups_json(const struct repetition_row *row)
{
    if (row->groups.lower == 0)
        return json_null();
    return json_pack("{s:f, s:i, s:o, s:o}", "ratio",
                     exp(row->groups.middle[1] - row->groups.middle[0]),
                     "changes", changes(row), "lower", group_json(row, 0),
                     "upper", group_json(row, 1));
}

static json_t *row_json(const struct repetition_row *row)
{
    const struct table_cell *cell = row->cell;
    json_t *values = given_memory(json_array());

    for (size_t i = 0; i < cell->runs; i++)
        json_array_append_new(
            values, given_memory(json_pack("{s:i, s:f, s:f}", "run",
                                           cell->run[i].file->run, "value",
                                           number_in(cell->run[i].row, "value"),
                                           "median", cell->run[i].figure)));
    return given_memory(json_pack(
        "{s:s, s:s, s:o, s:s, s:i, s:f, s:f, s:f, s:f, s:f, s:o, s:o, s:s?, s:o}",
        "placement", row->id->place, "row", row->id->key, "bytes",
        row->id->bytes < 0 ? json_null()
                           : json_integer((json_int_t)row->id->bytes),
        "unit", row->id->unit, "runs", (int)cell->runs, "value", row->value,
        "median", cell->figure, "min", cell->low, "max", cell->high, "spread",
        row->spread, "next_run",
        is_apart(row) || row->next.by == NULL
            ? json_null()
            : json_pack("{s:f, s:f, s:s}", "low", row->next.low, "high",
                        row->next.high, "by", row->next.by),
        "groups", given_memory(groups_json(row)), "doubtful", cell->doubtful,
        "values", values));
}

/* "3: why" */
static json_t *failed_json(const char *text)
{
    char *why;
    const long run = strtol(text, &why, 10);

    return given_memory(json_pack("{s:i, s:o}", "run", (int)run, "reason",
                                  json_text(why + strspn(why, ": "))));
}

bool repetition_json(FILE *to, const void *repetition)
{
    const struct repetition *r = repetition;
    const struct repetition_made *made = &r->made;
    const struct variant *of = r->table.variant;
    json_t *rows = given_memory(json_array()), *all;
    json_t *failed = given_memory(json_array());
    json_t *files = given_memory(json_array());

    for (size_t i = 0; i < r->rows; i++)
        json_array_append_new(rows, row_json(&r->row[i]));
    for (size_t i = 0; i < made->failed.n; i++)
        json_array_append_new(failed, failed_json(made->failed.text[i]));
    for (size_t i = 0; i < of->n; i++)
        json_array_append_new(
            files, given_memory(json_pack("{s:i, s:O}", "run", of->file[i].run,
                                          "result", of->file[i].root)));
    all = given_memory(json_pack(
        "{s:s, s:i, s:s, s:s, s:i, s:f, s:o, s:o, s:o, s:o, s:o}", "suite",
        "Alidade", "repeat", REPEAT, "version", PACKAGE_VERSION, "benchmark",
        of->file[0].benchmark, "runs", (int)of->n, "level", 0.95, "precision",
        made->precision > 0 ? json_real(made->precision) : json_null(), "stop",
        json_text(made->stop), "failed", failed, "rows", rows, "result_files",
        files));
    return json_print(to, all);
}
