/* SPDX-License-Identifier: BSD-3-Clause */
#ifdef HAVE_CONFIG_H
#    include "config.h"
#endif

#include "repetition_print.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "results/doubtful.h"

enum { FIELD = 18, NAME = 39, NOTES = 8 };

/* "2,5-7" */
static void list_runs(FILE *to, const struct repetition_row *row, bool upper)
{
    const char *comma = "";

    for (size_t i = 0, end; i < row->runs; i = end) {
        end = i + 1;
        if (repetition_is_upper(row, i) != upper)
            continue;
        while (end < row->runs && repetition_is_upper(row, end) == upper &&
               row->run[end] == row->run[end - 1] + 1)
            end++;
        fprintf(to, "%s%d", comma, row->run[i]);
        if (end > i + 1)
            fprintf(to, "-%d", row->run[end - 1]);
        comma = ",";
    }
}

/* A key without blanks: a known reader takes a number before a blank for a result. */
static void row_name(FILE *to, const char *key)
{
    for (; *key != '\0'; key++)
        fputc(*key == ' ' ? ',' : *key, to);
}

static void groups_of(FILE *to, const struct repetition *r)
{
    size_t found = 0;

    for (size_t i = 0; i < r->rows; i++) {
        const struct repetition_row *row = &r->row[i];

        if (row->groups.lower == 0 || found++ >= NOTES)
            continue;
        fputs("# Groups: row=", to);
        row_name(to, row->id.key);
        fprintf(to,
                "; lower=%.4g; upper=%.4g; ratio=%.3f; changes=%d; lower-runs=",
                exp(row->groups.middle[0]), exp(row->groups.middle[1]),
                exp(row->groups.middle[1] - row->groups.middle[0]),
                repetition_changes(row));
        list_runs(to, row, false);
        fputs("; upper-runs=", to);
        list_runs(to, row, true);
        fputs(";\n", to);
    }
    if (found > NOTES)
        fprintf(to, "# Groups: more-rows=%zu;\n", found - NOTES);
}

/* Rows of which no interval says where the next run will be. */
static void apart_of(FILE *to, const struct repetition *r)
{
    const struct repetition_row *most = NULL;
    double factor = 0;
    size_t n = 0;

    for (size_t i = 0; i < r->rows; i++) {
        const struct repetition_row *row = &r->row[i];

        if (!repetition_is_apart(row))
            continue;
        n++;
        if (row->max / row->min > factor) {
            most = row;
            factor = row->max / row->min;
        }
    }
    if (most == NULL)
        return;
    fprintf(to, "# Apart: rows=%zu of %zu; row=", n, r->rows);
    row_name(to, most->id.key);
    fprintf(to,
            "; runs differ by a factor of %.*f; no interval predicts the next "
            "run: look at placement (where) and at other load;\n",
            factor < 10 ? 1 : 0, factor);
}

static void doubtful_of(FILE *to, const struct repetition *r)
{
    struct doubtful all = { .rows = 0 };

    for (size_t i = 0; i < r->rows; i++)
        doubtful_add(&all, &r->row[i].id, r->row[i].doubtful);
    if (all.n == 0)
        return;
    fprintf(to, "# Disturbed: rows=%zu of %zu; why=%s;", all.n, all.rows,
            all.why);
    for (size_t i = 0; i < all.n && i < DOUBTFUL_NAMED; i++) {
        fputs(" row=", to);
        row_name(to, all.first[i].key);
        fputc(';', to);
    }
    if (all.n > DOUBTFUL_NAMED)
        fprintf(to, " more-rows=%zu;", all.n - DOUBTFUL_NAMED);
    fputc('\n', to);
}

static void notes(FILE *to, const struct repetition *r)
{
    const struct repetition_made *made = &r->made;
    char text[24];
    const char *widest = repetition_widest_words(r, 1, text);

    fprintf(to, "# Repeat: runs=%zu; failed=%zu; interval=95%%-next-run",
            r->variant->n, made->failed.n);
    if (widest != NULL)
        fprintf(to, "; widest=%s%%", widest);
    if (made->precision > 0)
        fprintf(to, "; wanted=%g%%", 100 * made->precision);
    if (made->stop != NULL)
        fprintf(to, "; stop=%s", made->stop);
    fputs(";\n", to);
    apart_of(to, r);
    doubtful_of(to, r);
    groups_of(to, r);
}

static void head_columns(FILE *to, const char *unit)
{
    static const char *const column[] = { "Median", "Next Low", "Next High" };

    for (size_t i = 0; i < sizeof column / sizeof *column; i++) {
        char text[FIELD + 1];

        snprintf(text, sizeof text, "%s(%s)", column[i], unit);
        fprintf(to, "%*s", FIELD, text);
    }
    fprintf(to, "%*s%*s\n", FIELD, "Spread(%)", FIELD, "Runs");
}

/* Two decimals of 0.13 us are steps of 8%. */
static void number(FILE *to, const struct repetition_row *row, double value)
{
    fprintf(to, "%*.*f", FIELD, row->median < 10 ? 4 : 2, value);
}

static void columns(FILE *to, const struct repetition_row *row)
{
    number(to, row, row->median);
    if (row->next.by == NULL || repetition_is_apart(row)) {
        fprintf(to, "%*s%*s", FIELD, "-", FIELD, "-");
    } else {
        number(to, row, row->next.low);
        number(to, row, row->next.high);
    }
    if (row->runs < 2)
        fprintf(to, "%*s", FIELD, "-");
    else
        fprintf(to, "%*.2f", FIELD, 100 * row->spread);
    fprintf(to, "%*zu\n", FIELD, row->runs);
}

/* Of a row of the table: where its first value ends, and from where on there is room for
   it.  A row begins with a digit, or with blanks if it has no size; 0: the line is no
   row. */
static size_t value_end(const char *line, size_t *from)
{
    const size_t size = strspn(line, "0123456789");
    const char *value = line + size + strspn(line + size, " ");
    const size_t digits = strcspn(value, " ");

    *from = size;
    return value > line && isdigit((unsigned char)*value)
               ? (size_t)(value - line) + digits
               : 0;
}

static const char *line_of(const json_t *table, size_t i)
{
    const char *line = json_string_value(json_array_get(table, i));

    return line != NULL ? line : "";
}

static size_t rows_in(const json_t *table)
{
    size_t n = 0, from;

    for (size_t i = 0; i < json_array_size(table); i++)
        n += value_end(line_of(table, i), &from) > 0;
    return n;
}

static void print_row(FILE *to, const struct repetition *r, size_t i,
                      const char *line)
{
    size_t from = 0, end = value_end(line, &from);
    const int k = repetition_row_of_first(r, i);
    const int width = (int)(end - from);

    fprintf(to, "%.*s", (int)from, line);
    if (k == REPETITION_NO_ROW) {
        fprintf(to, "%*s%*s%*s%*s%*s%*d\n", width, "-", FIELD, "-", FIELD, "-",
                FIELD, "-", FIELD, "-", FIELD, 0);
        return;
    }
    fprintf(to, "%*.2f", width, r->row[k].value);
    columns(to, &r->row[k]);
}

static const char *unit_of(const struct repetition *r, size_t i)
{
    const char *unit =
        text_in(json_array_get(r->variant->file[0].rows, i), "unit");

    return unit != NULL ? unit : "-";
}

/* Our notes come after the header line. */
static bool is_header(const char *line)
{
    return strncmp(line, "# Alidade ", 10) == 0;
}

static void like_first(FILE *to, const struct repetition *r,
                       const json_t *table)
{
    const size_t rows = rows_in(table);
    size_t row = 0, from, end;

    if (!is_header(line_of(table, 0)))
        notes(to, r);
    for (size_t i = 0; i < json_array_size(table) && row < rows; i++) {
        const char *line = line_of(table, i);

        if (strncmp(line, "# suspect:", 10) == 0)
            continue;
        end = value_end(line, &from);
        if (end > 0) {
            print_row(to, r, row++, line);
        } else if (value_end(line_of(table, i + 1), &from) > 0 &&
                   line[0] == '#') {
            fprintf(to, "%-*.*s", (int)value_end(line_of(table, i + 1), &from),
                    (int)value_end(line_of(table, i + 1), &from), line);
            head_columns(to, unit_of(r, row));
        } else {
            fprintf(to, "%s\n", line);
        }
        if (i == 0 && is_header(line))
            notes(to, r);
    }
}

/* Rows by name. */
static void plain(FILE *to, const struct repetition *r, const json_t *table)
{
    const char *title = text_in(r->variant->file[0].method, "title");

    if (is_header(line_of(table, 0)))
        fprintf(to, "%s\n", line_of(table, 0));
    notes(to, r);
    if (title != NULL)
        fprintf(to, "# %s%s\n", title,
                strncmp(title, "OSU ", 4) == 0 ? " v7.4" : "");
    for (size_t i = 0; i < r->rows; i++) {
        const struct repetition_row *row = &r->row[i];
        char head[FIELD + 1];

        if (i == 0 || strcmp(row->id.unit, row[-1].id.unit) != 0) {
            snprintf(head, sizeof head, "Value(%s)", row->id.unit);
            fprintf(to, "%-*s%*s", NAME, "# Row", FIELD, head);
            head_columns(to, row->id.unit);
        }
        fprintf(to, "%-*s%*.2f", NAME, row->id.key, FIELD, row->value);
        columns(to, row);
    }
}

void repetition_text(FILE *to, const struct repetition *r)
{
    json_t *table = repetition_table(r);

    if (table != NULL && rows_in(table) > 0 &&
        rows_in(table) == json_array_size(r->variant->file[0].rows))
        like_first(to, r, table);
    else
        plain(to, r, table);
    json_decref(table);
}
