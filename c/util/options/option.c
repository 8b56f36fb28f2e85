/* SPDX-License-Identifier: BSD-3-Clause */
#include "option.h"

#include <argp.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sizes.h"

struct parsing {
    const struct option_set *set;
    void *settings;
    int *event;
    char *why;
    size_t room;
    int next; /* word that argp would have read next when it gave up */
};

static bool is_taken(const struct option_set *set, const struct option_row *row)
{
    return row->takers == 0 || (row->takers & set->takes) != 0;
}

/* argp's keys of rows without one begin here. */
enum { BY_NUMBER = 1 << 16 };

/* The row of a key, or without one of a name: the one that the program takes, else the
   first; NULL: none. */
static const struct option_row *row_of(const struct option_set *set, int key,
                                       const char *name)
{
    const struct option_row *first = NULL;

    for (const struct option_row *row = set->rows; row->name != NULL; row++) {
        if (row->key != key || (key == 0 && strcmp(row->name, name) != 0))
            continue;
        if (is_taken(set, row))
            return row;
        first = first != NULL ? first : row;
    }
    return first;
}

/* Is it the row that its key means, or without a key its name? */
static bool is_meant(const struct option_set *set, const struct option_row *row)
{
    return row_of(set, row->key, row->name) == row;
}

bool option_holds(const struct option_set *set, const struct option_row *row)
{
    return is_taken(set, row) && is_meant(set, row);
}

bool option_is_idle(const struct option_set *set, const struct option_row *row)
{
    return option_has_letter(row) && !is_taken(set, row) &&
           is_meant(set, row) && set->idle != NULL &&
           strchr(set->idle, row->key) != NULL;
}

/* "-W" or "--json", as it is best known. */
static const char *spelling(const struct option_row *row, char out[40])
{
    if (option_has_letter(row))
        snprintf(out, 40, "-%c", row->key);
    else
        snprintf(out, 40, "--%s", row->name);
    return out;
}

/* NULL where the row allows the value. */
static const char *out_of_range(const struct option_row *row, double value,
                                char room[CHOICE_WHY])
{
    if (value < row->min)
        snprintf(room, CHOICE_WHY, "is too small; the smallest is %.15g",
                 row->min);
    else if (row->max > 0 && value > row->max)
        snprintf(room, CHOICE_WHY, "is too large; the largest is %.15g",
                 row->max);
    else
        return NULL;
    return room;
}

static const char *parse_whole(const struct option_row *row, const char *text,
                               void *field, char room[CHOICE_WHY])
{
    char *end;
    const long value = strtol(text, &end, 10); /* clipped where it is huge */

    if (end == text || *end != '\0')
        return "is not a whole number";
    *(int *)field = (int)value;
    return out_of_range(row, (double)value, room);
}

static const char *parse_count(const struct option_row *row, const char *text,
                               struct sizes_count *count, char room[CHOICE_WHY])
{
    const char *why = sizes_parse_count(text, count);

    for (int i = 0; why == NULL && i < count->steps; i++)
        why = out_of_range(row, (double)count->step[i].n, room);
    return why;
}

static const char *parse_seconds(const struct option_row *row, const char *text,
                                 double *seconds, char room[CHOICE_WHY])
{
    static const struct {
        const char *suffix;
        double factor;
    } unit[] = {
        { "", 1 }, { "s", 1 }, { "ms", 1e-3 }, { "us", 1e-6 }, { "m", 60 }
    };
    char *end;
    const double value = strtod(text, &end);

    for (size_t i = 0; end != text && i < sizeof unit / sizeof *unit; i++)
        if (strcmp(end, unit[i].suffix) == 0 &&
            isfinite(value * unit[i].factor)) {
            *seconds = value * unit[i].factor;
            return out_of_range(row, *seconds, room);
        }
    return "is not a time (examples: 0.5, 50ms, 10s, 2m)";
}

static const char *parse_percent(const char *text, double *fraction)
{
    char *end;
    const double value = strtod(text, &end);

    if (end == text || (*end != '\0' && strcmp(end, "%") != 0))
        return "is not a percentage (examples: 0.5%, 1, 5%)";
    if (!(value > 0 && value < 100))
        return "is not between 0% and 100%";
    *fraction = value / 100;
    return NULL;
}

static const char *parse_list(const struct option_row *row, const char *text,
                              void *base, char room[CHOICE_WHY])
{
    const char *why = *text == '\0' ? "is empty" : NULL;

    while (why == NULL && *text != '\0') {
        const size_t n = strcspn(text, ",");
        const struct choice *c = choice_of(row->choices, text, n);

        why = c != NULL ? row->add(base, c->value)
                        : choice_refused(row->choices, room);
        text += n + (text[n] == ',');
    }
    return why;
}

static void *base_of(const struct option_set *set, const struct option_row *row,
                     void *settings)
{
    return row->of_family ? set->family : settings;
}

/* NULL, or what is wrong, which may stand in room. */
static const char *parse_value(const struct option_set *set,
                               const struct option_row *row, const char *text,
                               void *settings, char room[CHOICE_WHY])
{
    void *const base = base_of(set, row, settings);
    void *const field = (char *)base + row->offset;
    const struct choice *choice;
    const char *why;

    if (text == NULL)
        text = row->missing;
    switch (row->kind) {
    case OPTION_FLAG:
        *(bool *)field = true;
        return NULL;
    case OPTION_INT:
        return parse_whole(row, text, field, room);
    case OPTION_COUNT:
        return parse_count(row, text, field, room);
    case OPTION_SIZE:
        why = sizes_parse_one(text, field);
        return why != NULL ? why
                           : out_of_range(row, (double)*(size_t *)field, room);
    case OPTION_SECONDS:
        return parse_seconds(row, text, field, room);
    case OPTION_PERCENT:
        return parse_percent(text, field);
    case OPTION_CHOICE:
        choice = choice_of(row->choices, text, strlen(text));
        if (choice == NULL)
            return choice_refused(row->choices, room);
        *(int *)field = choice->value;
        return NULL;
    case OPTION_LIST:
        return parse_list(row, text, base, room);
    case OPTION_TEXT:
        *(const char **)field = text;
        return text[0] == '\0' ? "is empty" : NULL;
    case OPTION_SPECIAL:
        why = row->parse(base, text);
        return why == choice_none ? choice_refused(row->choices, room) : why;
    case OPTION_EVENT:
        break;
    }
    return NULL;
}

static error_t on_argument(int key, char *text, struct argp_state *state)
{
    struct parsing *p = state->input;
    const struct option_row *row =
        key >= BY_NUMBER && key < 2 * BY_NUMBER /* argp's own lie beyond */
            ? &p->set->rows[key - BY_NUMBER]
            : row_of(p->set, key, "");
    const char *wrong;
    char name[40], room[CHOICE_WHY];

    if (key == ARGP_KEY_ARG) {
        wrong = p->set->word(p->settings, text);
        if (wrong != NULL)
            snprintf(p->why, p->room, "unexpected word '%s'%s", text, wrong);
        return wrong != NULL ? EINVAL : 0;
    }
    if (key == ARGP_KEY_ERROR)
        p->next = state->next;
    if (row == NULL)
        return ARGP_ERR_UNKNOWN;
    if (option_is_idle(p->set, row)) {
        p->set->ignored(p->settings, row);
        return 0;
    }
    if (!is_taken(p->set, row)) {
        snprintf(p->why, p->room,
                 option_has_letter(row)
                     ? "does not take %s (--%s); taken by: %s"
                     : "does not take %s%.0s; taken by: %s",
                 spelling(row, name), row->name, row->programs);
        return EINVAL;
    }
    if (row->kind == OPTION_EVENT) {
        *p->event = row->key;
        return ECANCELED;
    }
    wrong = parse_value(p->set, row, text, p->settings, room);
    if (wrong != NULL)
        snprintf(p->why, p->room, "%s '%s' %s", spelling(row, name),
                 text != NULL ? text : "", wrong);
    return wrong != NULL ? EINVAL : 0;
}

static void record_row(const struct option_row *row, const void *base,
                       struct fields to)
{
    const void *field = (const char *)base + row->offset;

    if (row->record != NULL) {
        row->record(to, row->json, base);
        return;
    }
    switch (row->kind) {
    case OPTION_FLAG:
        fields_flag(to, row->json, *(const bool *)field);
        break;
    case OPTION_INT:
        fields_int(to, row->json, *(const int *)field);
        break;
    case OPTION_SIZE:
        fields_int(to, row->json, (long long)*(const size_t *)field);
        break;
    case OPTION_TEXT:
        fields_text(to, row->json, *(const char *const *)field);
        break;
    case OPTION_CHOICE:
        fields_text(to, row->json,
                    choice_word(row->choices, *(const int *)field));
        break;
    default: /* needs a record of its own */
        break;
    }
}

void option_record(const struct option_set *set, const void *settings,
                   struct fields to)
{
    for (const struct option_row *row = set->rows; row->name != NULL; row++)
        if (row->json != NULL && option_holds(set, row))
            record_row(row, row->of_family ? set->family : settings, to);
}

/* What is said of a wrong option. */

/* Does a word like -fQ hold a letter that is no option? */
static bool has_unknown_letter(const struct option_set *set, const char *word)
{
    const struct option_row *row;

    if (word == NULL || word[0] != '-' || word[1] == '-')
        return false;
    for (const char *c = word + 1; *c != '\0'; c++) {
        row = row_of(set, *c, "");
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
                   : row_of(set, word[strlen(word) - 1], "");
    for (const struct option_row *row = set->rows; row->name; row++) {
        if (!is_meant(set, row) || strncmp(row->name, word + 2, length) != 0)
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
static void explain(const struct option_set *set, char *const *argv, int next,
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

enum option_outcome option_parse(const struct option_set *set, int argc,
                                 char **argv, void *settings, int *event,
                                 char *why, size_t room)
{
    struct parsing p = { set, settings, event, why, room, 1 };
    struct argp_option *option;
    struct argp argp = { .parser = on_argument };
    int count = 0, n = 0;
    error_t error;

    while (set->rows[count].name != NULL)
        count++;
    option = calloc((size_t)count + 1, sizeof *option);
    if (option == NULL) {
        snprintf(why, room, "out of memory");
        return OPTION_REFUSED;
    }
    for (int i = 0; i < count; i++)
        if (is_meant(set, &set->rows[i]))
            option[n++] = (struct argp_option){
                .name = set->rows[i].name,
                .key = set->rows[i].key > 0 ? set->rows[i].key : BY_NUMBER + i,
                .arg = set->rows[i].argument,
                .flags = set->rows[i].optional ? OPTION_ARG_OPTIONAL : 0,
            };
    argp.options = option;
    why[0] = '\0';
    error = argp_parse(&argp, argc, argv,
                       ARGP_NO_EXIT | ARGP_NO_ERRS | ARGP_NO_HELP, NULL, &p);
    free(option);
    if (error == 0)
        return OPTION_PROCEED;
    if (error == ECANCELED)
        return OPTION_STOP;
    if (why[0] == '\0')
        explain(set, argv, p.next, why, room);
    return OPTION_REFUSED;
}
