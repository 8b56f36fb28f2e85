/* SPDX-License-Identifier: BSD-3-Clause */
/* Options whose values are more than a word or a number; and --list, which
   prints what they take. */
#include "settings_parse.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "check_identity.h"
#include "columns.h"
#include "settings.h"

const char *parse_sizes(void *settings, const char *text)
{
    return sizes_parse(text, &((struct settings *)settings)->sizes);
}

const char *parse_check(void *settings, const char *text)
{
    struct settings *s = settings;

    s->check = true;
    if (text == NULL)
        return NULL;
    s->log = strcmp(text, "log") == 0 ? "validation_output"
             : strncmp(text, "log:", 4) == 0 && text[4] != '\0' ? text + 4
                                                                : NULL;
    return s->log == NULL ? "is not log or log:DIR (attached: -clog)" : NULL;
}

static const struct {
    const char *word;
    enum element type;
} type_words[] = {
    { "mpi_char", ELEMENT_CHAR },   { "mpi_int", ELEMENT_INT },
    { "mpi_float", ELEMENT_FLOAT }, { "mpi_double", ELEMENT_DOUBLE },
    { "mpi_int64", ELEMENT_INT64 }, { "mpi_int64_t", ELEMENT_INT64 },
};
enum { TYPE_WORDS = sizeof type_words / sizeof *type_words };

static void add_type(struct settings *s, enum element type)
{
    for (int i = 0; i < s->ntypes; i++)
        if (s->types[i] == type)
            return;
    s->types[s->ntypes++] = type;
}

static bool is_whole(enum element type)
{
    return type != ELEMENT_FLOAT && type != ELEMENT_DOUBLE;
}

/* A list of types out of those allowed; false: one is not. */
static bool parse_list(struct settings *s, const char *text, bool whole)
{
    while (*text != '\0') {
        const size_t n = strcspn(text, ",");
        bool known = n == 3 && strncasecmp(text, "all", n) == 0;

        for (int i = 0; i < TYPE_WORDS; i++) {
            if (whole && !is_whole(type_words[i].type))
                continue;
            if (known || (strlen(type_words[i].word) == n &&
                          strncasecmp(text, type_words[i].word, n) == 0)) {
                add_type(s, type_words[i].type);
                if (!known) {
                    known = true;
                    break;
                }
            }
        }
        if (!known)
            return false;
        text += n + (text[n] == ',');
    }
    return true;
}

const char *parse_types(void *settings, const char *text)
{
    if (!parse_list(settings, text, false))
        return "is not one of mpi_char, mpi_int, mpi_float, mpi_double, "
               "mpi_int64, all";
    return ((struct settings *)settings)->ntypes > 0 ? NULL : "is empty";
}

const char *parse_whole_types(void *settings, const char *text)
{
    if (!parse_list(settings, text, true))
        return "is not one of mpi_char, mpi_int, mpi_int64, all: MPI compares "
               "and swaps no floating point numbers";
    return ((struct settings *)settings)->ntypes > 0 ? NULL : "is empty";
}

const char *parse_derived(void *settings, const char *text)
{
    return typemap_parse(text, &((struct settings *)settings)->derived);
}

/* The value of WORD or WORD:REST in choices; *rest is what follows the colon,
   NULL for none.  -1: no such word. */
static int word_and_rest(const struct choice *choices, const char *text,
                         const char **rest)
{
    const size_t n = strcspn(text, ":");

    *rest = text[n] == ':' ? text + n + 1 : NULL;
    for (; choices->word != NULL; choices++)
        if (strlen(choices->word) == n &&
            strncasecmp(choices->word, text, n) == 0)
            return choices->value;
    return -1;
}

const char *settings_parse_order(const char *text, enum order *order,
                                 unsigned long *number)
{
    const char *seed;
    const int word = word_and_rest(settings_order_words, text, &seed);

    if (word < 0 || (seed != NULL && word != ORDER_RANDOM))
        return "is not up, down, random or random:SEED";
    *order = (enum order)word;
    if (seed == NULL)
        return NULL;
    *number = strtoul(seed, NULL, 10);
    /* JSON has it as a signed number. */
    return seed[strspn(seed, "0123456789")] != '\0' || *number == 0 ||
                   *number > LONG_MAX
               ? "has no positive whole number as its seed"
               : NULL;
}

const char *parse_order(void *settings, const char *text)
{
    struct settings *s = settings;

    s->seed = 0;
    return settings_parse_order(text, &s->order, &s->seed);
}

const char *parse_use(void *settings, const char *text)
{
    struct settings *s = settings;
    const char *bytes, *why = NULL;
    const int use = word_and_rest(settings_use_words, text, &bytes);

    if (use < 0 || (bytes != NULL && use != BUFFERS_ROTATE))
        return "is not reuse, rotate or rotate:BYTES";
    s->use = use;
    s->pool = 0;
    if (bytes != NULL)
        why = sizes_parse_one(bytes, &s->pool);
    return why == NULL && bytes != NULL && s->pool == 0
               ? "names a pool without bytes"
               : why;
}

const char *parse_root(void *settings, const char *text)
{
    struct settings *s = settings;
    char *end;

    s->root = ROOT_ROTATES;
    if (strcasecmp(text, "rotate") == 0)
        return NULL;
    if (strncasecmp(text, "fixed:", 6) != 0)
        return "is not fixed:R or rotate";
    const long root = strtol(text + 6, &end, 10);
    if (!isdigit((unsigned char)text[6]) || *end != '\0' || root >= INT_MAX)
        return "has no rank behind fixed:";
    s->root = (int)root;
    return NULL;
}

const char *parse_refine(void *settings, const char *text)
{
    struct settings *s = settings;
    char *end;
    const long n = text != NULL ? strtol(text, &end, 10) : 16;

    if (text != NULL &&
        (end == text || *end != '\0' || n < 1 || n > REFINE_MAX))
        return "is not a number from 1 to 64";
    s->refine = (int)n;
    return NULL;
}

static void list_words(const char *name, const struct choice *c, FILE *to)
{
    for (; c->word != NULL; c++)
        fprintf(to, "--%s %s\n", name, c->word);
}

void settings_list(const struct option_set *set, FILE *to)
{
    for (const struct option_row *row = set->rows; row->name != NULL; row++) {
        if (!option_taken(set, row) || row->choices == NULL)
            continue;
        list_words(row->name, row->choices, to);
    }
    if (set->takes & TAKES_SIZES) {
        list_words("order", settings_order_words, to);
        list_words("buffers", settings_use_words, to);
    }
    for (int i = 0; i < TYPE_WORDS; i++)
        if (set->takes & TAKES_TYPE ||
            (set->takes & TAKES_INTEGER_TYPE && is_whole(type_words[i].type)))
            fprintf(to, "--type %s\n", type_words[i].word);
    if (set->takes & TAKES_LAPS)
        for (int i = 0; i < EXTRA_COUNT; i++)
            fprintf(to, "--columns %-12s  %s\n", extra_columns[i].name,
                    extra_columns[i].meaning);
}

const char *parse_percentiles(void *settings, const char *text)
{
    struct settings *s = settings;

    s->npercentiles = 0;
    if (text == NULL)
        text = "50,90,99";
    while (*text != '\0') {
        char *end;
        const double p = strtod(text, &end);

        if (end == text || (*end != ',' && *end != '\0'))
            return "is not a list of percentiles (example: -z50,99.9; the "
                   "list is attached to -z)";
        if (!(p >= 0 && p <= 100))
            return "has a percentile outside 0 to 100";
        for (int i = 0; i < s->npercentiles; i++)
            if (s->percentiles[i] == p)
                return "names a percentile twice";
        if (s->npercentiles == PERCENTILES_MAX)
            return "has more than 16 percentiles";
        s->percentiles[s->npercentiles++] = p;
        text = end + (*end == ',');
    }
    return s->npercentiles > 0 ? NULL : "is empty";
}

const char *parse_columns(void *settings, const char *text)
{
    struct settings *s = settings;

    while (*text != '\0') {
        const size_t n = strcspn(text, ",");
        int id = 0;

        while (id < EXTRA_COUNT &&
               (strlen(extra_columns[id].name) != n ||
                strncmp(text, extra_columns[id].name, n) != 0))
            id++;
        if (id == EXTRA_COUNT)
            return "names an unknown column; --list names them";
        for (int i = 0; i < s->ncolumns; i++)
            if (s->columns[i] == id)
                return "names a column twice";
        s->columns[s->ncolumns++] = id;
        text += n + (text[n] == ',');
    }
    return s->ncolumns > 0 ? NULL : "is empty";
}

const char *parse_graphs(void *settings, const char *text)
{
    struct settings *s = settings;

    while (*text != '\0') {
        const size_t n = strcspn(text, ",");
        const struct choice *c = settings_graph_words;

        while (c->word != NULL &&
               (strlen(c->word) != n || strncasecmp(text, c->word, n) != 0))
            c++;
        if (c->word == NULL)
            return "is not a list of tty, png, pdf, svg";
        s->graphs |= (unsigned)c->value;
        text += n + (text[n] == ',');
    }
    return s->graphs != 0 ? NULL : "is empty";
}

/* Where :FILE begins.  Names of native events have colons themselves: there a
   FILE is known by a dot or a slash. */
static const char *end_of_events(const char *text)
{
    const char *const last = strrchr(text, ','),
                      *const event = last != NULL ? last + 1 : text,
                      *const colon = strrchr(event, ':');

    return colon != NULL && (strncmp(event, "PAPI_", 5) == 0 ||
                             strpbrk(colon, "./") != NULL)
               ? colon
               : text + strlen(text);
}

const char *parse_events(void *settings, const char *text)
{
    struct settings *s = settings;
    const char *const end = end_of_events(text);
    char list[EVENTS_MAX * EVENT_ROOM];

    if (*end == ':') {
        s->events_file = end + 1;
        if (end[1] == '\0')
            return "names no file behind the colon";
    }
    if ((size_t)(end - text) >= sizeof list)
        return "is too long";
    snprintf(list, sizeof list, "%.*s", (int)(end - text), text);
    for (char *rest, *name = strtok_r(list, ",", &rest); name != NULL;
         name = strtok_r(NULL, ",", &rest)) {
        if (strlen(name) >= EVENT_ROOM)
            return "has a name that is too long";
        for (int i = 0; i < s->nevents; i++)
            if (strcmp(s->event[i], name) == 0)
                return "names an event twice";
        if (s->nevents == EVENTS_MAX)
            return "has more than 16 events";
        strcpy(s->event[s->nevents++], name);
    }
    return s->nevents > 0 ? NULL : "is empty";
}

const char *settings_parse_sides(const char *text, int least, int most,
                                 int alone, int side[2])
{
    char *end;
    long first = strtol(text, &end, 10), second = first;
    const bool two = end != text && *end == ':';

    if (two) {
        text = end + 1;
        second = strtol(text, &end, 10);
    }
    if (end == text || *end != '\0')
        return "is not a number, or two as in 2:4, sender and receiver";
    if (first < least || second < least || first > most || second > most)
        return "is out of range";
    if (two || alone != 1)
        side[0] = (int)first;
    if (two || alone != 0)
        side[1] = (int)second;
    return NULL;
}

/* In the order in which they are named, and each once. */
static void add_value(struct settings *s, long value)
{
    for (int i = 0; i < s->nparameters; i++)
        if (s->parameter[i] == value)
            return;
    s->parameter[s->nparameters++] = value;
}

const char *parse_parameter(void *settings, const char *text)
{
    struct settings *s = settings;
    char *end;

    for (s->nparameters = 0; s->nparameters < PARAMETER_MAX; text = end + 1) {
        const long value = strtol(text, &end, 10);

        if (end == text || value < 0 || value >= INT_MAX)
            break;
        add_value(s, value);
        if (*end == '\0')
            return NULL;
        if (*end != ',')
            break;
    }
    return "is not a list of up to 32 whole numbers";
}

const char *parse_expect(void *settings, const char *text)
{
    struct settings *s = settings;

    if (s->nexpect == EXPECT_MAX)
        return "is one too many: 16 are the most";
    s->expect[s->nexpect++] = text;
    return identity_wrong(text);
}

const char *parse_gpu_map(void *settings, const char *text)
{
    return gpu_map_parse(text, &((struct settings *)settings)->gpu_map);
}
