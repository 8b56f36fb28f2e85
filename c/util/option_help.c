/* SPDX-License-Identifier: BSD-3-Clause */
/* Help, man page and what is said of a wrong option, from the rows. */
#include "option.h"

#include <argp.h>
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 400 };

/* "what it does (default: x)" */
static void describe(const struct option_set *set, const struct option_row *row,
                     char text[TEXT])
{
    const char *fallback =
        row->key == set->own_key ? set->own_fallback : row->fallback;
    size_t n = (size_t)snprintf(text, TEXT, "%s", row->help);

    if (row->choices != NULL)
        for (const struct choice *c = row->choices; c->word != NULL; c++)
            n += (size_t)snprintf(text + n, TEXT - n, "%s%s",
                                  c == row->choices ? ": " : ", ", c->word);
    if (fallback != NULL)
        snprintf(text + n, TEXT - n, " (default: %s)", fallback);
}

static int count_rows(const struct option_set *set)
{
    int count = 0;

    while (set->rows[count].name != NULL)
        count++;
    return count;
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

/* argp's own formatter; it sorts, so rows of a group come by letter. */
void option_print_help(const struct option_set *set, FILE *to)
{
    const int rows = count_rows(set), groups = count_groups(set);
    struct argp_option *option =
        calloc((size_t)(rows + groups + 1), sizeof *option);
    char(*text)[TEXT] = calloc((size_t)rows, sizeof *text);
    char *doc = malloc(strlen(set->about) + strlen(set->notes) + 8);
    struct argp argp = { .options = option, .args_doc = set->words };
    int n = 0;

    if (option == NULL || text == NULL || doc == NULL)
        abort();
    for (int g = 0; g < groups; g++)
        if (group_is_used(set, g))
            option[n++] =
                (struct argp_option){ .doc = set->groups[g], .group = g + 1 };
    for (int i = 0; i < rows; i++) {
        const struct option_row *row = &set->rows[i];

        if (!option_taken(set, row))
            continue;
        describe(set, row, text[i]);
        option[n++] = (struct argp_option){
            .name = row->name,
            .key = row->key,
            .arg = row->argument,
            .flags = row->optional ? OPTION_ARG_OPTIONAL : 0,
            .doc = text[i],
            .group = row->group + 1,
        };
    }
    sprintf(doc, "%s\v%s", set->about, set->notes);
    argp.doc = doc;
    argp_help(&argp, to, ARGP_HELP_STD_HELP & ~ARGP_HELP_EXIT_OK,
              (char *)(uintptr_t)set->program);
    free(doc);
    free(text);
    free(option);
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
    fprintf(to, "\n.SH SYNOPSIS\n.B %s\n[\\fIOPTION\\fR]... \\fI%s\\fR\n",
            set->program, set->words);
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

/* Does a word like -fQ hold a letter that is no option? */
static bool has_unknown_letter(const struct option_set *set, const char *word)
{
    const struct option_row *row;

    if (word == NULL || word[0] != '-' || word[1] == '-')
        return false;
    for (const char *c = word + 1; *c != '\0'; c++) {
        row = option_row_of(set, *c);
        if (row == NULL || row->argument != NULL)
            return row == NULL; /* what follows is a value */
    }
    return false;
}

/* The row that a word means whose letters are all known, or whose long name
   is right or a unique beginning; NULL: none. */
static const struct option_row *row_meant(const struct option_set *set,
                                          const char *word)
{
    const size_t length = strcspn(word, "=") - 2;
    const struct option_row *found = NULL;

    if (word[1] != '-')
        return has_unknown_letter(set, word)
                   ? NULL
                   : option_row_of(set, word[strlen(word) - 1]);
    for (const struct option_row *row = set->rows; row->name; row++) {
        if (!option_stands(set, row) ||
            strncmp(row->name, word + 2, length) != 0)
            continue;
        if (row->name[length] == '\0')
            return row;
        if (found != NULL)
            return NULL;
        found = row;
    }
    return found;
}

/*
 * argp says only that something is wrong, and, by next, roughly where: in the
 * word before next, or at next if a group of letters is not at its end.
 */
void option_explain(const struct option_set *set, char *const *argv, int next,
                    char *why, size_t room)
{
    const char *word =
        has_unknown_letter(set, argv[next]) ? argv[next] : argv[next - 1];
    const struct option_row *row = row_meant(set, word);

    if (row == NULL)
        snprintf(why, room, "unknown option '%s'; --help lists the options",
                 word);
    else if (row->argument != NULL)
        snprintf(why, room, "%s needs a value: %s", word, row->argument);
    else
        snprintf(why, room, "%s takes no value", word);
}
