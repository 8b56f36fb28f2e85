/* SPDX-License-Identifier: BSD-3-Clause */
#include "option.h"

#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/number.h"
#include "settings.h"

/* SimGrid's own goes on where the last command line ended; those of a suite are several. */
#undef getopt_long

/* --- "Did you mean?" ----------------------------------------------------------- */

enum { LONGEST = 40 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t slips_between(const char *a, size_t n, const char *b, size_t m)
{
    size_t d[LONGEST + 1][LONGEST + 1]; /* of the first i and j letters */

    for (size_t i = 0; i <= n; i++)
        for (size_t j = 0; j <= m; j++) {
            d[i][j] = i + j;
            if (i > 0 && j > 0)
                d[i][j] = least(d[i - 1][j - 1] + (a[i - 1] != b[j - 1]),
                                1 + least(d[i - 1][j], d[i][j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = least(d[i][j], 1 + d[i - 2][j - 2]);
        }
    return d[n][m];
}

void nearest_offer(struct nearest *near, const char *word)
{
    const size_t n = near->length, m = strlen(word);
    const size_t slips =
        n <= LONGEST && m <= LONGEST ? slips_between(near->text, n, word, m) : LONGEST;

    if (3 * slips <= n && (near->question[0] == '\0' || slips < near->slips)) {
        near->slips = slips;
        snprintf(near->question, sizeof near->question, " (did you mean %s%s?)", near->prefix,
                 word);
    }
}

/* --- The words that an option takes -------------------------------------------- */

const char choice_none[] = "is none of the choices";

const struct choice *choice_of(const struct choice *choices, const char *text, size_t n)
{
    while (choices->word != NULL &&
           (strcspn(choices->word, ":") != n || strncasecmp(choices->word, text, n) != 0))
        choices++;
    return choices->word != NULL ? choices : NULL;
}

const struct choice *choice_before_colon(const struct choice *choices, const char *text,
                                         const char **argument)
{
    const size_t n = strcspn(text, ":");

    *argument = text[n] == ':' ? text + n + 1 : NULL;
    return choice_of(choices, text, n);
}

const char *choice_word(const struct choice *choices, int value)
{
    while (choices->word != NULL && choices->value != value)
        choices++;
    return choices->word;
}

enum { CHOICE_WHY = 280 };

/* "is not one of ...": what is wrong with a text of this length, and the word that was
   probably meant. */
static const char *choice_refused(const struct choice *choices, const char *text, size_t length,
                                  char why[CHOICE_WHY])
{
    struct nearest near = { .text = text, .length = length, .prefix = "" };
    size_t n = (size_t)snprintf(why, CHOICE_WHY, "is not one of");

    for (const struct choice *c = choices; c->word != NULL; c++) {
        nearest_offer(&near, c->word);
        if (c->meaning != NULL && n < CHOICE_WHY)
            n += (size_t)snprintf(why + n, CHOICE_WHY - n, "%s %s", c == choices ? "" : ",",
                                  c->word);
    }
    if (n + sizeof near.question >= CHOICE_WHY)
        n = (size_t)snprintf(why, CHOICE_WHY, "is not one of the words that --help explains");
    snprintf(why + n, CHOICE_WHY - n, "%s", near.question);
    return why;
}

/* --- Values -------------------------------------------------------------------- */

const char *option_spelling(const struct option_row *row, char out[40])
{
    if (option_has_letter(row))
        snprintf(out, 40, "-%c", row->key);
    else
        snprintf(out, 40, "--%s", row->name);
    return out;
}

/* NULL where the row allows the value. */
static const char *out_of_range(const struct option_row *row, double value, char room[CHOICE_WHY])
{
    if (value < row->min)
        snprintf(room, CHOICE_WHY, "is too small; the smallest is %.15g", row->min);
    else if (row->max > 0 && value > row->max)
        snprintf(room, CHOICE_WHY, "is too large; the largest is %.15g", row->max);
    else
        return NULL;
    return room;
}

static const char *parse_whole(const struct option_row *row, const char *text, void *field,
                               char room[CHOICE_WHY])
{
    const char *end;
    const long value = number_whole(text, &end);

    if (end == text || *end != '\0')
        return "is not a whole number";
    *(int *)field = (int)value; /* not used where it is out of range */
    return out_of_range(row, (double)value, room);
}

/* S:R or N, with which missing or N itself stands for S. */
static const char *parse_sides(const struct option_row *row, const char *text, int side[2],
                               char room[CHOICE_WHY])
{
    const char *const colon = strchr(text, ':'), *why = NULL;
    const char *const lone = row->missing != NULL ? row->missing : text;
    const char *const part[] = { colon != NULL ? text : lone, colon != NULL ? colon + 1 : text };

    for (int i = 0; i < 2 && why == NULL; i++) {
        const char *end;
        const long n = number_whole(part[i], &end);

        if (end == part[i] || (*end != '\0' && (i == 1 || end != colon)))
            return "is not a number, or two as in 2:4, sender and receiver";
        side[i] = (int)n; /* not used where it is out of range */
        why = out_of_range(row, (double)n, room);
    }
    return why;
}

/* A size before a colon; text goes on after that. */
static bool take_size(const char **text, size_t *bytes)
{
    const size_t n = strcspn(*text, ":");
    char word[32];

    if ((*text)[n] != ':' || n >= sizeof word)
        return false;
    snprintf(word, sizeof word, "%.*s", (int)n, *text);
    *text += n + 1;
    return sizes_parse_one(word, bytes) == NULL;
}

/* A number; text goes on after it. */
static bool take_number(const char **text, long *number)
{
    const char *const begin = *text;

    *number = number_whole(begin, text);
    return *text > begin;
}

/* N, or SIZE:N:N, up to SIZE bytes and beyond.  Returns the number of steps; 0: it is neither. */
static int parse_border(const char *text, struct count_step step[2])
{
    const bool two = strchr(text, ':') != NULL;

    if (two &&
        (!take_size(&text, &step[0].up_to) || !take_number(&text, &step[0].n) || *text++ != ':'))
        return 0;
    return take_number(&text, &step[two].n) && *text == '\0' ? two + 1 : 0;
}

/* SIZE:N,SIZE:N,... in any order.  As above. */
static int parse_steps(const char *text, struct count_step step[COUNT_STEPS])
{
    for (int n = 0; n < COUNT_STEPS; text++) {
        if (!take_size(&text, &step[n].up_to) || !take_number(&text, &step[n].n))
            return 0;
        n++;
        if (*text != ',')
            return *text == '\0' ? n : 0;
    }
    return 0;
}

static int by_size(const void *a, const void *b)
{
    const struct count_step *x = a, *y = b;

    return (x->up_to > y->up_to) - (x->up_to < y->up_to);
}

/* Numbers of iterations by size.  The last of a list holds for all that is beyond the other sizes,
   whatever its own size. */
static const char *parse_count(const struct option_row *row, const char *text,
                               struct sizes_count *count, char room[CHOICE_WHY])
{
    const int n = count->steps = strchr(text, ',') == NULL ? parse_border(text, count->step)
                                                           : parse_steps(text, count->step);
    const char *why = NULL;

    if (n == 0)
        return "is not a number of iterations, nor up to 16 by size (examples: 100, "
               "8192:1000:100, 8192:1000,1M:100,0:10)";
    count->step[n - 1].up_to = SIZE_MAX;
    qsort(count->step, (size_t)n, sizeof *count->step, by_size);
    for (int i = 1; i < n; i++)
        if (count->step[i].up_to == count->step[i - 1].up_to)
            return "names a size twice";
    for (int i = 0; why == NULL && i < n; i++)
        why = out_of_range(row, (double)count->step[i].n, room);
    return why;
}

const char *option_seconds(const char *text, double *seconds)
{
    static const struct {
        const char *suffix;
        double factor;
    } unit[] = {
        { "", 1 }, { "s", 1 }, { "ms", 1e-3 }, { "us", 1e-6 }, { "m", 60 }, { "h", 3600 }
    };
    const char *end;
    const double value = number_real(text, &end);

    for (size_t i = 0; end != text && i < sizeof unit / sizeof *unit; i++)
        if (strcmp(end, unit[i].suffix) == 0 && isfinite(value * unit[i].factor)) {
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
        return "is not above 0% and below 100%";
    *fraction = value / 100;
    return NULL;
}

bool option_next(const char **list, const char **word, size_t *n)
{
    if (**list == '\0')
        return false;
    *word = *list;
    *n = strcspn(*list, ",");
    *list += *n + ((*list)[*n] == ',');
    return true;
}

const char *option_numbers(const char *list, long values[PARAMETER_MAX], int *values_n)
{
    const char *word, *why = "is not a list of up to 32 whole numbers";
    size_t n;

    *values_n = 0;
    while (option_next(&list, &word, &n)) {
        const char *end;
        const long value = number_whole(word, &end);

        if (n == 0 || end != word + n || value < 0 || value >= INT_MAX ||
            *values_n == PARAMETER_MAX)
            return why;
        for (int i = 0; i < *values_n; i++)
            if (values[i] == value)
                return "names a number twice";
        values[(*values_n)++] = value;
    }
    return *values_n > 0 ? NULL : why;
}

static const char *parse_list(const struct option_row *row, const char *text, char room[CHOICE_WHY])
{
    const char *why = *text == '\0' ? "is empty" : NULL, *word;
    size_t n;

    while (why == NULL && option_next(&text, &word, &n)) {
        const struct choice *c = choice_of(row->choices, word, n);

        why =
            c != NULL ? row->add(row->base, c->value) : choice_refused(row->choices, word, n, room);
    }
    return why;
}

/* NULL, or what is wrong, which may stand in room. */
static const char *parse_value(const struct option_row *row, const char *text,
                               char room[CHOICE_WHY])
{
    void *const field = (char *)row->base + row->offset;
    const struct choice *choice;
    const char *why;

    if (text == NULL)
        text = row->missing;
    if (row->parse != NULL) {
        why = row->parse(field, text);
        return why == choice_none ? choice_refused(row->choices, text, strlen(text), room) : why;
    }
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
        return why != NULL ? why : out_of_range(row, (double)*(size_t *)field, room);
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
        return parse_list(row, text, room);
    case OPTION_TEXT:
        *(const char **)field = text;
        return text[0] == '\0' ? "is empty" : NULL;
    case OPTION_SIDES:
        return parse_sides(row, text, field, room);
    case OPTION_SPECIAL:
    case OPTION_EVENT:
        break;
    }
    return NULL;
}

/* --- Words --------------------------------------------------------------------- */

struct parsing {
    struct settings *settings;
    const char *word; /* that which is being read */
    int event;        /* that was asked for; 0: none */
    struct refusal *refusal;
    const char *stray, *wrong; /* the first word that is none, and why */
};

static void take(struct parsing *p, struct option_row *row, const char *text)
{
    char name[40], room[CHOICE_WHY];
    const char *wrong;

    row->named = true;
    if (row->idle)
        return;
    if (!row->taken) {
        refusal_because(p->refusal, E43_NOT_TAKEN,
                        option_has_letter(row) ? "does not take %s (--%s); of use in: %s"
                                               : "does not take %s%.0s; of use in: %s",
                        option_spelling(row, name), row->name, row->programs);
        return;
    }
    if (row->kind == OPTION_EVENT) {
        if (p->refusal->why[0] == '\0')
            p->event = row->key;
        return;
    }
    row->given = text;
    wrong = parse_value(row, text, room);
    if (wrong != NULL)
        refusal_because(p->refusal, E12_USAGE, "%s '%s' %s", option_spelling(row, name),
                        text != NULL ? text : "", wrong);
}

/* A word that is no option; NULL, or what is wrong with it. */
static const char *parse_word(struct settings *s, const char *text)
{
    const struct choice *memory = choice_of(settings_memory_words, text, strlen(text));

    if (memory != NULL && s->nwords < 2) {
        s->memory[s->nwords++] = (enum memory_type)memory->value;
        return NULL;
    }
    /* As in -f 1000: scripts for OMB have it. */
    if (s->of_omb && *text != '\0' && text[strspn(text, "0123456789")] == '\0') {
        const size_t n = strlen(s->stray);

        snprintf(s->stray + n, sizeof s->stray - n, "%s%s", n > 0 ? " " : "", text);
        return NULL;
    }
    return text[strspn(text, "0123456789.,")] == '\0'
               ? "; iterations are set with -i N, sizes with -m MIN:MAX; a list "
                 "has commas and no blanks: --sizes=8,16, -z50,99"
               : "; without an option only SRC DST are allowed, each H, HH, HP, D, F, M, MD or MH";
}

static void take_word(struct parsing *p, const char *word)
{
    if (p->wrong != NULL)
        return;
    p->stray = word;
    p->wrong = parse_word(p->settings, word);
}

/* What getopt_long calls a row by its long name: that and its number. */
enum { BY_NAME = 1000 };

/* The rows as getopt_long has them; words that are no option come in their turn. */
static void list_rows(const struct option_row *row, struct option names[OPTION_ROWS],
                      char letters[3 * OPTION_ROWS])
{
    char *letter = stpcpy(letters, "-:");
    int n = 0;

    for (; row[n].name != NULL; n++) {
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
static struct option_row *row_of(struct option_row *row, int found)
{
    if (found >= BY_NAME)
        return &row[found - BY_NAME];
    while (row->name != NULL && (found == 0 || row->key != found))
        row++;
    return row->name != NULL ? row : NULL;
}

/* An option that cannot be taken as it stands there. */
static void refuse(struct parsing *p, int found)
{
    const struct option_row *row = row_of(p->settings->rows, optopt);
    struct nearest near = { .text = p->word + 2,
                            .length = strcspn(p->word, "=") - 2,
                            .prefix = "--" };

    for (const struct option_row *r = p->settings->rows;
         row == NULL && p->word[1] == '-' && r->name != NULL; r++)
        if (r->taken)
            nearest_offer(&near, r->name);
    if (row == NULL)
        refusal_because(p->refusal, E12_USAGE, "unknown option '%s'%s", p->word, near.question);
    else if (found == ':')
        refusal_because(p->refusal, E12_USAGE, "%s needs a value: %s", p->word, row->argument);
    else
        refusal_because(p->refusal, E12_USAGE, "%s takes no value", p->word);
}

int option_parse(struct settings *s, int argc, char *const *argv, struct refusal *r)
{
    struct parsing p = { .settings = s, .refusal = r };
    struct option names[OPTION_ROWS];
    char letters[3 * OPTION_ROWS];
    int found = 0;

    list_rows(s->rows, names, letters);
    optind = 0; /* from the beginning */
    while (p.event == 0 && found != -1) {
        p.word = argc > 1 ? argv[optind > 0 ? optind : 1] : NULL;
        found = getopt_long(argc, argv, letters, names, NULL);
        if (found == '?' || found == ':')
            refuse(&p, found);
        else if (found > 1)
            take(&p, row_of(s->rows, found), optarg);
        else if (found == 1)
            take_word(&p, optarg);
    }
    for (; p.event == 0 && r->why[0] == '\0' && optind < argc; optind++)
        take_word(&p, argv[optind]); /* behind "--" */
    /* What an option says of the whole comes before a word that is wrong. */
    if (p.event == 0 && p.wrong != NULL)
        refusal_because(r, E12_USAGE, "unexpected word '%s'%s", p.stray, p.wrong);
    return p.event;
}

const struct option_row *option_moot(const struct settings *s, const struct option_row *last)
{
    const struct option_row *row = last != NULL ? last + 1 : s->rows;

    for (; row->name != NULL; row++)
        if (row->named && (row->idle || (row->moot != NULL && row->moot(s))))
            return row;
    return NULL;
}
