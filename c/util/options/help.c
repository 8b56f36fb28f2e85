/* SPDX-License-Identifier: BSD-3-Clause */
#include "help.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* Where argp's own formatter puts things.  It is not asked, since the one of glibc
   breaks lines wrongly where its buffer happens to be full. */
enum {
    TEXT = 600,
    NAME_COLUMN = 2,
    LONG_COLUMN = 6,
    TEXT_COLUMN = 29,
    WIDTH = 79,
    OPTIONS_MAX = 64 /* of a group */
};

/* What does not fit is left out. */
static void append(char text[TEXT], const char *a, const char *b, const char *c)
{
    const size_t n = strlen(text);

    snprintf(text + n, TEXT - n, "%s%s%s", a, b, c);
}

/* "what it does (default: x)" */
static void describe(const struct option_set *set, const struct option_row *row,
                     char text[TEXT])
{
    const char *fallback =
        row->key == set->own_key ? set->own_fallback : row->fallback;

    text[0] = '\0';
    append(text, row->help, "", "");
    for (const struct choice *c = row->choices; c && c->word != NULL; c++)
        append(text, c == row->choices ? ": " : ", ", c->word, "");
    if (fallback != NULL)
        append(text, " (default: ", fallback, ")");
}

static int count_groups(const struct option_set *set)
{
    int count = 0;

    while (set->groups[count] != NULL)
        count++;
    return count;
}

static bool group_is_used(const struct option_set *set, int group)
{
    for (const struct option_row *row = set->rows; row->name; row++)
        if (row->group == group && option_taken(set, row))
            return true;
    return false;
}

/* Text that breaks at blanks, from column on, further lines indented. */
static void fill(FILE *to, const char *text, int column, int indent)
{
    bool first = true;

    while (*text != '\0') {
        const int word = (int)strcspn(text, " \n");

        if (word == 0) {
            first |= *text == '\n';
            if (*text++ == '\n')
                column =
                    fprintf(to, "\n%*s", *text == '\n' ? 0 : indent, "") - 1;
            continue;
        }
        if (!first && column + 1 + word > WIDTH) {
            column = fprintf(to, "\n%*s", indent, "") - 1;
            first = true;
        }
        column += fprintf(to, "%s%.*s", first ? "" : " ", word, text);
        first = false;
        text += word;
    }
    fputc('\n', to);
}

static bool has_letter(const struct option_row *row)
{
    return row->key < 256;
}

/* By letter, small ones first; those that have none by the first of their name. */
static bool stands_before(const struct option_row *a,
                          const struct option_row *b)
{
    const int x = has_letter(a) ? a->key : a->name[0];
    const int y = has_letter(b) ? b->key : b->name[0];

    if (!has_letter(a) && !has_letter(b))
        return strcasecmp(a->name, b->name) < 0;
    return tolower(x) != tolower(y) ? tolower(x) < tolower(y) : x > y;
}

static void print_row(const struct option_set *set,
                      const struct option_row *row, FILE *to)
{
    char text[TEXT];
    int column = has_letter(row)
                     ? fprintf(to, "%*s-%c, ", NAME_COLUMN, "", row->key)
                     : fprintf(to, "%*s", LONG_COLUMN, "");

    column += fprintf(to, "--%s", row->name);
    if (row->argument != NULL)
        column += fprintf(to, row->optional ? "[=%s]" : "=%s", row->argument);
    if (column < TEXT_COLUMN)
        column += fprintf(to, "%*s", TEXT_COLUMN - column, "");
    else if (column <= TEXT_COLUMN + 3)
        column += fprintf(to, "   ");
    else
        column = fprintf(to, "\n%*s", TEXT_COLUMN, "") - 1;
    describe(set, row, text);
    fill(to, text, column, TEXT_COLUMN);
}

static void print_group(const struct option_set *set, int group, FILE *to)
{
    const struct option_row *sorted[OPTIONS_MAX];
    int n = 0;

    for (const struct option_row *row = set->rows; row->name; row++) {
        int at = n;

        if (row->group != group || !option_taken(set, row))
            continue;
        if (n == OPTIONS_MAX)
            break;
        n++;
        for (; at > 0 && stands_before(row, sorted[at - 1]); at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = row;
    }
    for (int i = 0; i < n; i++)
        print_row(set, sorted[i], to);
}

void option_print_help(const struct option_set *set, FILE *to)
{
    const int groups = count_groups(set);

    fprintf(to, "Usage: %s [OPTION...]%s%s\n", set->program,
            set->words != NULL ? " " : "",
            set->words != NULL ? set->words : "");
    fill(to, set->about, 0, 0);
    for (int g = 0; g <= groups; g++) {
        if (!group_is_used(set, g))
            continue;
        fputc('\n', to);
        if (g < groups)
            fprintf(to, " %s\n", set->groups[g]);
        print_group(set, g, to);
    }
    fputs(
        "\nMandatory or optional arguments to long options are also mandatory or "
        "optional\nfor any corresponding short options.\n\n",
        to);
    fill(to, set->notes, 0, 0);
}

/* Text with roff's special characters made harmless. */
static void roff(FILE *to, const char *text)
{
    bool line_start = true;

    for (; *text != '\0'; text++) {
        if (*text == '\\')
            fputs("\\e", to);
        else if (*text == '-')
            fputs("\\-", to);
        else if (line_start && (*text == '.' || *text == '\''))
            fprintf(to, "\\&%c", *text);
        else
            fputc(*text, to);
        line_start = *text == '\n';
    }
}

static void roff_row(const struct option_set *set, const struct option_row *row,
                     FILE *to)
{
    char text[TEXT];

    fputs(".TP\n\\fB", to);
    if (row->key < 256)
        fprintf(to, "\\-%c\\fR, \\fB", row->key);
    fputs("\\-\\-", to);
    roff(to, row->name);
    fputs("\\fR", to);
    if (row->argument != NULL)
        fprintf(to, "%s\\fI%s\\fR%s", row->optional ? "[=" : "=", row->argument,
                row->optional ? "]" : "");
    fputc('\n', to);
    describe(set, row, text);
    roff(to, text);
    fputc('\n', to);
}

void option_print_man(const struct option_set *set, const char *version,
                      FILE *to)
{
    const int groups = count_groups(set);

    fprintf(to, ".TH \"ALIDADE\\-%s\" 1 \"\" \"Alidade %s\"\n.SH NAME\n",
            set->program, version);
    fprintf(to, "alidade\\-%s \\- ", set->program);
    for (const char *c = set->about; *c != '\0' && *c != '\n'; c++)
        fputc(*c, to);
    fprintf(to, "\n.SH SYNOPSIS\n.B %s\n[\\fIOPTION\\fR]...", set->program);
    if (set->words != NULL)
        fprintf(to, " \\fI%s\\fR", set->words);
    fputc('\n', to);
    fputs(".SH DESCRIPTION\n.nf\n", to);
    roff(to, set->about);
    fputs("\n.fi\n", to);
    for (int g = 0; g < groups; g++) {
        if (!group_is_used(set, g))
            continue;
        fputs(".SH ", to);
        for (const char *c = set->groups[g]; *c != '\0' && *c != ':'; c++)
            fputc(toupper((unsigned char)*c), to);
        fputc('\n', to);
        for (const struct option_row *row = set->rows; row->name; row++)
            if (row->group == g && option_taken(set, row))
                roff_row(set, row, to);
    }
    fputs(".SH NOTES\n.nf\n", to);
    roff(to, set->notes);
    fputs("\n.fi\n", to);
}
