/* SPDX-License-Identifier: BSD-3-Clause */
#include "help.h"

#include <ctype.h>
#include <string.h>

enum {
    TEXT_COLUMN = 29,  /* of what an option does, in the long help */
    SHORT_COLUMN = 33, /* and in the short one */
    WIDTH = 79
};

static const char IDLE[] = "accepted for compatibility with OMB; ignored";

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

/* "-i, --iterations=N" and blanks up to the column; where no two fit, a new line. */
static void print_name(const struct option_row *row, int column, FILE *to)
{
    int at = option_has_letter(row) ? fprintf(to, "  -%c, ", row->key)
                                    : fprintf(to, "%6s", "");

    at += fprintf(to, "--%s", row->name);
    if (row->argument != NULL)
        at += fprintf(to, row->optional ? "[=%s]" : "=%s", row->argument);
    if (at + 2 > column)
        at = fprintf(to, "\n") - 1;
    fprintf(to, "%*s", column - at, "");
}

static void print_choices(const struct choice *choices, int indent, FILE *to)
{
    int width = 0;

    for (const struct choice *c = choices; c->word != NULL; c++)
        if (c->meaning != NULL && (int)strlen(c->word) > width)
            width = (int)strlen(c->word);
    for (const struct choice *c = choices; c->word != NULL; c++)
        if (c->meaning != NULL) {
            fprintf(to, "%*s%-*s  ", indent, "", width, c->word);
            fill(to, c->meaning, indent + width + 2, indent + width + 2);
        }
}

/* The option's line of the short help. */
static void print_brief(const struct option_row *row, FILE *to)
{
    print_name(row, SHORT_COLUMN, to);
    fprintf(to, "%.*s", (int)strcspn(row->help, ";"), row->help);
    if (row->fallback != NULL)
        fprintf(to, " [%s]", row->fallback);
    fputc('\n', to);
}

static void print_row(const struct option_row *row, FILE *to)
{
    const char *const fallback = row->fallback;
    char text[400];

    print_name(row, TEXT_COLUMN, to);
    if (row->idle) {
        fill(to, IDLE, TEXT_COLUMN, TEXT_COLUMN);
        return;
    }
    snprintf(text, sizeof text, "%s%s%s%s", row->help,
             fallback != NULL ? " (default: " : "",
             fallback != NULL ? fallback : "", fallback != NULL ? ")" : "");
    fill(to, text, TEXT_COLUMN, TEXT_COLUMN);
    if (row->choices != NULL)
        print_choices(row->choices, TEXT_COLUMN + 2, to);
}

/* The row of the group that follows, or the first of all for NULL; NULL: none.  What has
   no effect is in the last group. */
static const struct option_row *
next_row(const struct option_set *set, int group, const struct option_row *row)
{
    const bool last = set->groups[group + 1] == NULL;

    for (row = row != NULL ? row + 1 : set->rows; row->name != NULL; row++)
        if ((row->group == group && row->taken) || (last && row->idle))
            return row;
    return NULL;
}

/* What both forms begin with. */
static void print_head(const struct option_set *set, FILE *to)
{
    fprintf(to, "Usage: %s [OPTION...]%s%s%s\n%c%s.\n", set->usage,
            set->words != NULL ? " [" : "",
            set->words != NULL ? set->words : "", set->words != NULL ? "]" : "",
            toupper((unsigned char)set->about[0]), set->about + 1);
    fputs("\nExamples:\n", to);
    for (int i = 0; i < OPTION_EXAMPLES; i++)
        fprintf(to, "  %s\n", set->examples[i]);
    fputc('\n', to);
}

void option_print_usage(const struct option_set *set, FILE *to)
{
    const struct option_row *row;

    print_head(set, to);
    fputs("Common options (--help shows all options and their values):\n", to);
    for (int g = 0; set->groups[g] != NULL; g++)
        for (row = NULL; (row = next_row(set, g, row)) != NULL;)
            if (row->common && !row->idle)
                print_brief(row, to);
    if (set->words != NULL)
        fprintf(to, "  %-*s%.*s\n", SHORT_COLUMN - 2, set->words,
                (int)strcspn(set->words_help, ";"), set->words_help);
}

void option_print_help(const struct option_set *set, FILE *to)
{
    print_head(set, to);
    fill(to, set->details, 0, 0);
    if (set->words != NULL) {
        fprintf(to, "\n%s: ", set->words);
        fill(to, set->words_help, (int)strlen(set->words) + 2, 0);
        print_choices(set->word_choices, 6, to);
    }
    for (int g = 0; set->groups[g] != NULL; g++) {
        const struct option_row *row = next_row(set, g, NULL);

        if (row != NULL)
            fprintf(to, "\n%s\n", set->groups[g]);
        for (; row != NULL; row = next_row(set, g, row))
            print_row(row, to);
    }
    fprintf(to, "\n%s\n", set->notes);
}
