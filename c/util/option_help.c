/* SPDX-License-Identifier: BSD-3-Clause */
/* What is said of a wrong option. */
#include "option.h"

#include <stdio.h>
#include <string.h>

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
