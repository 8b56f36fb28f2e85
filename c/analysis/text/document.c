/* SPDX-License-Identifier: BSD-3-Clause */
#include "document.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

enum { SCREEN = 100 }; /* columns of an answer in text */

static struct document_part *add(struct document *d, enum document_kind kind)
{
    d->part = given_memory(realloc(d->part, (d->n + 1) * sizeof *d->part));
    d->part[d->n] = (struct document_part){ .kind = kind };
    return &d->part[d->n++];
}

static char *printed(const char *form, va_list list)
{
    char *raw, *text;

    if (vasprintf(&raw, form, list) < 0)
        memory_is_short();
    text = given_memory(utf8_repaired(raw));
    free(raw);
    return text;
}

void document_add(struct document *d, enum document_kind kind, const char *form,
                  ...)
{
    va_list list;
    char *text;

    va_start(list, form);
    text = printed(form, list);
    va_end(list);
    if (text[0] != '\0')
        add(d, kind)->text = text;
    else
        free(text);
}

void document_lead(struct document *d, enum document_kind kind,
                   const char *lead, const char *form, ...)
{
    struct document_part *part = add(d, kind);
    va_list list;

    part->lead = given_memory(utf8_repaired(lead));
    va_start(list, form);
    part->text = printed(form, list);
    va_end(list);
}

void document_table(struct document *d, const struct document_column *column,
                    size_t columns)
{
    struct document_part *part = add(d, DOCUMENT_TABLE);

    part->columns = columns;
    part->column = given_memory(malloc(columns * sizeof *column));
    memcpy(part->column, column, columns * sizeof *column);
}

static void add_cell(struct document *d, char *text)
{
    struct document_part *part = &d->part[d->n - 1];

    part->cell = given_memory(
        realloc(part->cell, (part->cells + 1) * sizeof *part->cell));
    part->cell[part->cells++] =
        (struct document_cell){ .text = text,
                                .main = text != NULL ? strlen(text) : 0 };
}

void document_group(struct document *d, const char *text)
{
    add_cell(d, given_memory(utf8_repaired(text)));
    while (d->part[d->n - 1].cells % d->part[d->n - 1].columns != 0)
        add_cell(d, NULL);
}

void document_cell(struct document *d, const char *form, ...)
{
    va_list list;

    va_start(list, form);
    add_cell(d, printed(form, list));
    va_end(list);
}

static struct document_cell *last_cell(struct document *d)
{
    return &d->part[d->n - 1].cell[d->part[d->n - 1].cells - 1];
}

void document_aside(struct document *d, const char *aside)
{
    struct document_cell *cell = last_cell(d);
    char *longer;

    if (aside[0] == '\0')
        return;
    if (asprintf(&longer, "%s%s(%s)", cell->text, cell->main > 0 ? " " : "",
                 aside) < 0)
        memory_is_short();
    free(cell->text);
    cell->text = given_memory(utf8_repaired(longer));
    free(longer);
}

void document_mark(struct document *d, const char *mark)
{
    last_cell(d)->mark = mark;
}

void document_release(struct document *d)
{
    for (size_t i = 0; i < d->n; i++) {
        for (size_t k = 0; k < d->part[i].cells; k++)
            free(d->part[i].cell[k].text);
        free(d->part[i].cell);
        free(d->part[i].column);
        free(d->part[i].lead);
        free(d->part[i].text);
    }
    free(d->part);
    *d = (struct document){ .n = 0 };
}

void document_lines(struct document *d, char *lines)
{
    char *rest = lines, *line;

    while ((line = strsep(&rest, "\n")) != NULL)
        document_add(d, DOCUMENT_NOTE, "%s", line);
    free(lines);
}

bool document_is_group(const struct document_part *table, size_t row)
{
    return table->columns > 1 &&
           table->cell[row * table->columns + 1].text == NULL;
}

bool document_is_left(const struct document_part *table, size_t k)
{
    return (table->column[k].kind & COLUMN_LEFT) != 0;
}

/* What one group alone has in common distinguishes nothing. */
bool document_has_groups(const struct document_part *table)
{
    size_t n = 0;

    for (size_t i = 0; i * table->columns < table->cells; i++)
        n += document_is_group(table, i);
    return n > 1;
}

/* --- Text -------------------------------------------------------------------------- */

/* Words of a text, in lines of a screen's width. */
static void print_wrapped(FILE *to, const char *text, const char *begin)
{
    int column = 0;

    while (*text != '\0') {
        const int n = (int)strcspn(text, " ");

        if (column > 0 && column + 1 + n > SCREEN) {
            fputc('\n', to);
            column = 0;
        }
        column += fprintf(to, "%s%.*s", column > 0 ? " " : begin, n, text);
        text += n + (text[n] == ' ');
    }
    fputc('\n', to);
}

/* How wide column k is. */
static int width_of(const struct document_part *table, size_t k,
                    const char *begin)
{
    size_t most =
        strlen(table->column[k].heading) + (k == 0 ? strlen(begin) : 0);

    if (k + 1 == table->columns && document_is_left(table, k))
        return 0; /* nothing stands after it */
    for (size_t i = k; i < table->cells; i += table->columns) {
        const size_t n = document_is_group(table, i / table->columns)
                             ? 0
                             : strlen(table->cell[i].text);

        most = n > most ? n : most;
    }
    return (int)most > table->column[k].width ? (int)most
                                              : table->column[k].width;
}

static void text_cell(FILE *to, const struct document_part *table, size_t k,
                      int width, const char *text)
{
    const bool left = document_is_left(table, k);

    /* No blanks at the end of a line. */
    if (text[0] == '\0' && k + 1 == table->columns)
        return;
    fprintf(to, "%s%*s",
            k == 0 ? ""
            : left ? "  "
                   : " ",
            left ? -width : width, text);
}

static void text_heading(FILE *to, const struct document_part *table,
                         const int *width, const char *begin)
{
    char first[64];

    snprintf(first, sizeof first, "%s%s", begin, table->column[0].heading);
    for (size_t k = 0; k < table->columns; k++)
        text_cell(to, table, k, width[k],
                  k == 0 ? first : table->column[k].heading);
    fputc('\n', to);
}

static void text_table(FILE *to, const struct document_part *table,
                       const char *begin)
{
    int *width = given_memory(malloc(table->columns * sizeof *width));
    bool headed = false;

    for (size_t k = 0; k < table->columns; k++)
        width[k] = width_of(table, k, begin);
    for (size_t i = 0; i * table->columns < table->cells; i++) {
        const struct document_cell *cell = &table->cell[i * table->columns];

        if (document_is_group(table, i)) {
            fprintf(to, "\n%s%s\n", begin, cell[0].text);
            continue;
        }
        if (!headed)
            text_heading(to, table, width, begin);
        headed = true;
        for (size_t k = 0; k < table->columns; k++)
            text_cell(to, table, k, width[k], cell[k].text);
        fputc('\n', to);
    }
    free(width);
}

void document_text(FILE *to, const struct document *d, const char *begin)
{
    for (size_t i = 0; i < d->n; i++) {
        const struct document_part *part = &d->part[i];

        switch (part->kind) {
        case DOCUMENT_TITLE:
            fprintf(to, "%s%s%s\n", i > 0 ? "\n" : "", begin, part->text);
            break;
        case DOCUMENT_HEADING:
            fprintf(to, "\n%s%s\n", begin, part->text);
            break;
        case DOCUMENT_ANSWER:
        case DOCUMENT_ADVICE:
            print_wrapped(to, part->text, begin);
            break;
        case DOCUMENT_ITEM:
            fprintf(to, "\n%s%s: %s\n", begin, part->lead, part->text);
            break;
        case DOCUMENT_DETAIL:
            fprintf(to, "%s    %s%s%s\n", begin, part->lead,
                    part->lead[0] != '\0' ? ": " : "", part->text);
            break;
        case DOCUMENT_TABLE:
            text_table(to, part, begin);
            if (i + 1 < d->n && part[1].kind > DOCUMENT_HEADING)
                fputc('\n', to);
            break;
        default:
            fprintf(to, "%s%s\n", begin, part->text);
        }
    }
}

/* --- Markdown ---------------------------------------------------------------------- */

static void markdown_table(FILE *to, const struct document_part *table)
{
    const bool grouped = document_has_groups(table);
    const char *group = NULL;

    fputc('\n', to);
    for (size_t k = 0; k < table->columns; k++)
        fprintf(to, "| %s ", table->column[k].heading);
    fputs("|\n", to);
    for (size_t k = 0; k < table->columns; k++)
        fputs(document_is_left(table, k) ? "|---" : "|---:", to);
    fputs("|\n", to);
    for (size_t i = 0; i * table->columns < table->cells; i++) {
        const struct document_cell *cell = &table->cell[i * table->columns];

        if (document_is_group(table, i)) {
            group = cell[0].text;
            continue;
        }
        for (size_t k = 0; k < table->columns; k++) {
            fprintf(to, "| %s ", cell[k].text);
            if (k == 0 && grouped && group != NULL)
                fprintf(to, "(%s) ", group);
        }
        fputs("|\n", to);
    }
    fputc('\n', to);
}

static void markdown_part(FILE *to, const struct document_part *part)
{
    static const char *const begin[] = {
        [DOCUMENT_TITLE] = "## ", [DOCUMENT_HEADING] = "\n### ",
        [DOCUMENT_ANSWER] = "\n", [DOCUMENT_ADVICE] = "\n",
        [DOCUMENT_NOTE] = "- ",   [DOCUMENT_ITEM] = "- ",
        [DOCUMENT_DETAIL] = "  "
    };

    if (part->kind == DOCUMENT_TABLE)
        markdown_table(to, part);
    else
        fprintf(to, "%s%s%s%s\n", begin[part->kind],
                part->lead != NULL ? part->lead : "",
                part->lead != NULL && part->lead[0] != '\0' ? ": " : "",
                part->text);
}

static bool is_first(const struct document_part *part)
{
    return part->kind <= DOCUMENT_ADVICE && part->kind != DOCUMENT_HEADING;
}

void document_markdown(FILE *to, const struct document *d)
{
    for (size_t first = 0, end; first < d->n; first = end) {
        end = first + 1;
        while (end < d->n && d->part[end].kind != DOCUMENT_TITLE)
            end++;
        for (size_t i = first; i < end; i++)
            if (is_first(&d->part[i]))
                markdown_part(to, &d->part[i]);
        fputc('\n', to);
        for (size_t i = first; i < end; i++)
            if (!is_first(&d->part[i]))
                markdown_part(to, &d->part[i]);
    }
}
