/* SPDX-License-Identifier: BSD-3-Clause */
#include "document.h"

#include <stdlib.h>
#include <string.h>

#include "markup.h"
#include "text.h"

/* The end of the rows from i on that begin with the same word. */
static size_t same_end(const struct document_part *table, size_t i)
{
    const struct document_cell *cell = table->cell;
    size_t end = i + 1;

    while (document_is_left(table, 0) && end * table->columns < table->cells &&
           !document_is_group(table, end) &&
           strcmp(cell[end * table->columns].text,
                  cell[i * table->columns].text) == 0)
        end++;
    return end;
}

/* One cell, and what is joined to it; returns how many columns that are. */
static size_t html_cell(FILE *to, const struct document_part *table, size_t k,
                        const struct document_cell *cell, const char *tag)
{
    const int kind = table->column[k].kind;
    char class[64] = "", *word = given_memory(strndup(cell->text, cell->main));
    size_t n = 1;

    if ((kind & COLUMN_MINOR) != 0) {
        free(word);
        return n;
    }
    text_add_word(class, sizeof class, " ",
                  (kind & COLUMN_LEFT) != 0 ? "word" : NULL, 8);
    text_add_word(class, sizeof class, " ", cell->mark, 16);
    fprintf(to, "<%s", tag);
    if (class[0] != '\0')
        fprintf(to, " class=\"%s\"", class);
    fputc('>', to);
    markup_word(to, word);
    free(word);
    if (cell->text[cell->main] != '\0')
        markup_print(to, "<span class=\"more\">%s</span>",
                     cell->text + cell->main);
    for (; k + n < table->columns &&
           (table->column[k + n].kind & COLUMN_JOINED) != 0;
         n++)
        if (cell[n].text[0] != '\0') {
            fputs(" <small>", to);
            markup_word(to, cell[n].text);
            fputs("</small>", to);
        }
    fprintf(to, "</%s>", tag);
    return n;
}

static void html_headings(FILE *to, const struct document_part *table)
{
    struct document_cell *cell =
        given_memory(calloc(table->columns, sizeof *cell));

    for (size_t k = 0; k < table->columns; k++) {
        cell[k].text = table->column[k].heading;
        cell[k].main = strlen(cell[k].text);
    }
    for (size_t k = 0; k < table->columns;)
        k += html_cell(to, table, k, &cell[k], "th");
    free(cell);
}

static void html_table(FILE *to, const struct document_part *table)
{
    const bool grouped = document_has_groups(table);
    const char *group = "";
    size_t end = 0;

    fprintf(to, "<div class=\"wide\"><table%s>\n<thead><tr>",
            document_is_left(table, table->columns - 1) ? " class=\"classes\""
                                                        : "");
    html_headings(to, table);
    fputs("</tr></thead>\n<tbody>\n", to);
    for (size_t i = 0; i * table->columns < table->cells; i++) {
        const char *first = table->cell[i * table->columns].text;

        if (document_is_group(table, i)) {
            group = first;
            continue;
        }
        fputs("<tr>", to);
        if (i >= end) {
            end = same_end(table, i);
            fputs("<td class=\"word of\"", to);
            if (end > i + 1)
                fprintf(to, " rowspan=\"%zu\"", end - i);
            fputc('>', to);
            markup_text(to, first);
            if (grouped)
                markup_print(to, "<br><small>%s</small>", group);
            fputs("</td>", to);
        }
        for (size_t k = 1; k < table->columns;)
            k += html_cell(to, table, k, &table->cell[i * table->columns + k],
                           "td");
        fputs("</tr>\n", to);
    }
    fputs("</tbody></table></div>\n", to);
}

static void html_detail(FILE *to, const struct document_part *part)
{
    if (part->lead[0] == '\0')
        markup_print(to, "<br>\n<span class=\"note\">%s</span>", part->text);
    else
        markup_print(to, "<br>\n%s: <code>%s</code>", part->lead, part->text);
}

void document_html(FILE *to, const struct document *d)
{
    bool in_list = false;

    for (size_t i = 0; i < d->n; i++) {
        const struct document_part *part = &d->part[i];

        if (in_list && part->kind != DOCUMENT_ITEM &&
            part->kind != DOCUMENT_DETAIL) {
            fputs("</li>\n</ol>\n", to);
            in_list = false;
        }
        switch (part->kind) {
        case DOCUMENT_TITLE:
        case DOCUMENT_HEADING:
            markup_print(to, "<h2>%s</h2>\n", part->text);
            break;
        case DOCUMENT_ANSWER:
        case DOCUMENT_ADVICE:
            markup_print(to, "<p class=\"%s\">",
                         part->kind == DOCUMENT_ANSWER ? "answer" : "advice");
            markup_print(to, "%s</p>\n", part->text);
            break;
        case DOCUMENT_ITEM:
            fputs(in_list ? "</li>\n" : "<ol class=\"odd\">\n", to);
            in_list = true;
            markup_print(to, "<li><strong>%s</strong>: %s", part->lead,
                         part->text);
            break;
        case DOCUMENT_DETAIL:
            html_detail(to, part);
            break;
        case DOCUMENT_TABLE:
            html_table(to, part);
            break;
        default:
            markup_print(to, "<p class=\"note\">%s</p>\n", part->text);
        }
    }
    if (in_list)
        fputs("</li>\n</ol>\n", to);
}
