/* SPDX-License-Identifier: BSD-3-Clause */
#include "option.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/number.h"
#include "base/sizes.h"

/* SimGrid's own goes on where the last command line ended; those of a suite are several. */
#undef getopt_long

const char *option_spelling(const struct option_row *row, char out[40])
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
    const char *end;
    const long value = number_whole(text, &end);

    if (end == text || *end != '\0')
        return "is not a whole number";
    *(int *)field = (int)value; /* not used where it is out of range */
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

const char *option_seconds(const char *text, double *seconds)
{
    static const struct {
        const char *suffix;
        double factor;
    } unit[] = { { "", 1 },      { "s", 1 },  { "ms", 1e-3 },
                 { "us", 1e-6 }, { "m", 60 }, { "h", 3600 } };
    const char *end;
    const double value = number_real(text, &end);

    for (size_t i = 0; end != text && i < sizeof unit / sizeof *unit; i++)
        if (strcmp(end, unit[i].suffix) == 0 &&
            isfinite(value * unit[i].factor)) {
            *seconds = value * unit[i].factor;
            return *seconds <= 1e9 ? NULL : "is longer than 1000000000s";
        }
    return "is not a time (examples: 0.5, 50ms, 10s, 2m)";
}

static const char *parse_percent(const char *text, double *fraction)
{
    const char *end;
    const double value = number_real(text, &end);

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
                        : choice_refused(row->choices, text, n, room);
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
        why = option_seconds(text, field);
        return why != NULL ? why : out_of_range(row, *(double *)field, room);
    case OPTION_PERCENT:
        return parse_percent(text, field);
    case OPTION_CHOICE:
        choice = choice_of(row->choices, text, strlen(text));
        if (choice == NULL)
            return choice_refused(row->choices, text, strlen(text), room);
        *(int *)field = choice->value;
        return NULL;
    case OPTION_LIST:
        return parse_list(row, text, base, room);
    case OPTION_TEXT:
        *(const char **)field = text;
        return text[0] == '\0' ? "is empty" : NULL;
    case OPTION_SPECIAL:
        why = row->parse(field, text);
        return why == choice_none
                   ? choice_refused(row->choices, text, strlen(text), room)
                   : why;
    case OPTION_EVENT:
        break;
    }
    return NULL;
}

/* --- Words --------------------------------------------------------------------- */

struct parsing {
    const struct option_set *set;
    void *settings;
    const char *word; /* that which is being read */
    int *event;
    char *why;
    size_t room;
};

static enum option_outcome take(struct parsing *p, struct option_row *row,
                                const char *text)
{
    char name[40], room[CHOICE_WHY];
    const char *wrong;

    row->named = true;
    if (row->idle)
        return OPTION_PROCEED;
    if (!row->taken) {
        snprintf(p->why, p->room,
                 option_has_letter(row)
                     ? "does not take %s (--%s); taken by: %s"
                     : "does not take %s%.0s; taken by: %s",
                 option_spelling(row, name), row->name, row->programs);
        return OPTION_REFUSED;
    }
    if (row->kind == OPTION_EVENT) {
        *p->event = row->key;
        return OPTION_STOP;
    }
    row->given = text;
    wrong = parse_value(p->set, row, text, p->settings, room);
    if (wrong == NULL)
        return OPTION_PROCEED;
    snprintf(p->why, p->room, "%s '%s' %s", option_spelling(row, name),
             text != NULL ? text : "", wrong);
    return OPTION_REFUSED;
}

static enum option_outcome take_word(struct parsing *p, const char *word)
{
    const char *const wrong = p->set->word(p->settings, word);

    if (wrong == NULL)
        return OPTION_PROCEED;
    snprintf(p->why, p->room, "unexpected word '%s'%s", word, wrong);
    return OPTION_REFUSED;
}

/* What getopt_long calls a row by its long name: that and its number. */
enum { BY_NAME = 1000, ROWS = 128 };

/* The rows as getopt_long has them; words that are no option come in their turn. */
static void list_rows(const struct option_row *row, struct option names[ROWS],
                      char letters[3 * ROWS])
{
    char *letter = stpcpy(letters, "-:");
    int n = 0;

    for (; row[n].name != NULL && n < ROWS - 1; n++) {
        const int value = row[n].argument == NULL ? no_argument
                          : row[n].optional       ? optional_argument
                                                  : required_argument;

        names[n] = (struct option){ row[n].name, value, NULL, BY_NAME + n };
        if (option_has_letter(&row[n]))
            letter += sprintf(letter, "%c%.*s", row[n].key, value, "::");
    }
    names[n] = (struct option){ 0 };
}

/* NULL: none, as where getopt_long knows no option. */
static struct option_row *row_of(const struct option_set *set, int found)
{
    struct option_row *row = set->rows;

    if (found >= BY_NAME)
        return &row[found - BY_NAME];
    while (row->name != NULL && (found == 0 || row->key != found))
        row++;
    return row->name != NULL ? row : NULL;
}

/* An option that cannot be taken as it stands there. */
static enum option_outcome refuse(struct parsing *p, int found)
{
    const struct option_row *row = row_of(p->set, optopt);
    struct nearest near = { .text = p->word + 2,
                            .length = strcspn(p->word, "=") - 2 };

    for (const struct option_row *r = p->set->rows;
         row == NULL && p->word[1] == '-' && r->name != NULL; r++)
        if (r->taken)
            nearest_offer(&near, r->name);
    if (row == NULL)
        snprintf(p->why, p->room, "unknown option '%s'%s", p->word,
                 nearest_question(&near, "--"));
    else if (found == ':')
        snprintf(p->why, p->room, "%s needs a value: %s", p->word,
                 row->argument);
    else
        snprintf(p->why, p->room, "%s takes no value", p->word);
    return OPTION_REFUSED;
}

enum option_outcome option_parse(const struct option_set *set, int argc,
                                 char *const *argv, void *settings, int *event,
                                 char *why, size_t room)
{
    struct parsing p = { .set = set,
                         .settings = settings,
                         .event = event,
                         .why = why,
                         .room = room };
    enum option_outcome options = OPTION_PROCEED, words = OPTION_PROCEED, one;
    struct option names[ROWS];
    char letters[3 * ROWS], unsaid[CHOICE_WHY];
    int found = 0;

    why[0] = '\0';
    list_rows(set->rows, names, letters);
    optind = 0; /* from the beginning */
    /* To the end, whatever is wrong: --json is told of it too. */
    while (options != OPTION_STOP && found != -1) {
        p.word = argc > 1 ? argv[optind > 0 ? optind : 1] : NULL;
        found = getopt_long(argc, argv, letters, names, NULL);
        one = OPTION_PROCEED;
        if (found == '?' || found == ':')
            one = refuse(&p, found);
        else if (found > 1)
            one = take(&p, row_of(set, found), optarg);
        else if (found == 1 && words == OPTION_PROCEED)
            words = take_word(&p, optarg);
        if (options == OPTION_PROCEED)
            options = one;
        if (options == OPTION_REFUSED) { /* the first that is wrong is said */
            p.why = unsaid;
            p.room = sizeof unsaid;
        }
    }
    for (;
         words == OPTION_PROCEED && options == OPTION_PROCEED && optind < argc;
         optind++)
        words = take_word(&p, argv[optind]); /* behind "--" */
    /* What an option says of the whole comes before a word that is wrong. */
    return options != OPTION_PROCEED ? options : words;
}

const struct option_row *option_moot(const struct option_row *rows,
                                     const struct option_row *last,
                                     const struct settings *s)
{
    for (rows = last != NULL ? last + 1 : rows; rows->name != NULL; rows++)
        if (rows->named &&
            (rows->idle || (rows->moot != NULL && rows->moot(s))))
            return rows;
    return NULL;
}

/* --- JSON ---------------------------------------------------------------------- */

static void record_row(const struct option_row *row, const void *base,
                       struct fields to)
{
    const void *field = (const char *)base + row->offset;
    const char *text = row->given != NULL ? row->given : row->absent;

    if (row->record != NULL) {
        row->record(to, row->json, field);
        return;
    }
    switch (row->kind) {
    case OPTION_FLAG:
        fields_flag(to, row->json, *(const bool *)field);
        return;
    case OPTION_INT:
        fields_int(to, row->json, *(const int *)field);
        return;
    case OPTION_SIZE:
        fields_int(to, row->json, (long long)*(const size_t *)field);
        return;
    case OPTION_SECONDS:
    case OPTION_PERCENT:
        fields_real(to, row->json, *(const double *)field);
        return;
    case OPTION_CHOICE:
        text = choice_word(row->choices, *(const int *)field);
        break;
    case OPTION_TEXT:
        text = *(const char *const *)field;
        break;
    default:
        break;
    }
    if (text != NULL)
        fields_text(to, row->json, text);
}

void option_record(const struct option_row *row, const void *settings,
                   const void *family, struct fields to)
{
    for (; row->name != NULL; row++)
        if (row->json != NULL && row->taken)
            record_row(row, row->of_family ? family : settings, to);
}
