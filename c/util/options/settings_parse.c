/* SPDX-License-Identifier: BSD-3-Clause */
/* Options whose values are more than a word or a number. */
#include "settings_parse.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/number.h"
#include "check_identity.h"
#include "parameter.h"
#include "settings.h"

const char *parse_sizes(void *settings, const char *text)
{
    return sizes_parse(text, &((struct settings *)settings)->sizes);
}

const char *parse_size_list(void *settings, const char *text)
{
    return sizes_parse_list(text, &((struct settings *)settings)->sizes);
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
    if (s->log != NULL && strcmp(s->log, "-") == 0)
        return "names a folder, and standard output is none";
    return s->log == NULL ? "is not log or log:DIR (attached: -clog)" : NULL;
}

const char *parse_verify(void *settings, const char *text)
{
    struct verification *v = &((struct settings *)settings)->verify;

    *v =
        (struct verification){ .given = true, .all = strcmp(text, "all") == 0 };
    if (strncmp(text, "soak:", 5) == 0)
        return option_seconds(text + 5, &v->soak_s) == NULL && v->soak_s > 0
                   ? NULL
                   : "has no time after soak: (example: soak:10m)";
    return v->all || number_is(text, 0, 1000000000, &v->n)
               ? NULL
               : "is not a number of iterations up to 1000000000, all or "
                 "soak:TIME (example: 1000)";
}

const char *add_types(void *settings, int types)
{
    struct settings *s = settings;

    for (int i = 0; i < s->ntypes; i++) {
        if (types == 1 << s->types[i])
            return "names a type twice";
        types &= ~(1 << s->types[i]); /* all: the others */
    }
    for (int type = 0; type < ELEMENT_COUNT; type++)
        if ((types & 1 << type) != 0)
            s->types[s->ntypes++] = (enum element)type;
    return NULL;
}

const char *parse_derived(void *settings, const char *text)
{
    return typemap_parse(text, &((struct settings *)settings)->derived);
}

const char *settings_parse_order(const char *text, enum order *order,
                                 unsigned long *number)
{
    const char *seed;
    long value;
    const struct choice *word =
        choice_before_colon(settings_order_words, text, &seed);

    if (word == NULL || (seed != NULL && word->value != ORDER_RANDOM))
        return choice_none;
    *order = (enum order)word->value;
    if (seed == NULL)
        return NULL;
    if (!number_is(seed, 1, LONG_MAX, &value))
        return "has a seed that is not a whole number above 0";
    *number = (unsigned long)value;
    return NULL;
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
    const char *bytes, *why;
    const struct choice *use =
        choice_before_colon(settings_use_words, text, &bytes);

    if (use == NULL || (bytes != NULL && use->value != BUFFERS_ROTATE))
        return choice_none;
    s->use = (enum buffer_use)use->value;
    s->pool = 0;
    why = bytes != NULL ? sizes_parse_one(bytes, &s->pool) : NULL;
    return why == NULL && bytes != NULL && s->pool == 0
               ? "has a pool of 0 bytes"
               : why;
}

const char *parse_fixed_root(void *settings, const char *text)
{
    long root;

    if (strncasecmp(text, "fixed:", 6) != 0)
        return choice_none;
    if (!number_is(text + 6, 0, INT_MAX - 1, &root))
        return "has no rank after fixed:";
    ((struct settings *)settings)->root = (int)root;
    return NULL;
}

const char *parse_root(void *settings, const char *text)
{
    if (strcasecmp(text, "rotate") != 0)
        return parse_fixed_root(settings, text);
    ((struct settings *)settings)->root = ROOT_ROTATES;
    return NULL;
}

/* The next word of a list with commas, of n characters; false: there is none. */
static bool next_word(const char **list, const char **word, size_t *n)
{
    if (**list == '\0')
        return false;
    *word = *list;
    *n = strcspn(*list, ",");
    *list += *n + ((*list)[*n] == ',');
    return true;
}

const char *parse_percentiles(void *settings, const char *list)
{
    struct settings *s = settings;
    const char *word;
    size_t n;

    s->npercentiles = 0;
    while (next_word(&list, &word, &n)) {
        const char *end;
        const double p = number_real(word, &end);

        if (n == 0 || end != word + n)
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
    }
    return s->npercentiles > 0 ? NULL : "is empty";
}

const char *add_column(void *settings, int number)
{
    struct settings *s = settings;

    for (int i = 0; i < s->ncolumns; i++)
        if (s->columns[i] == number)
            return "names a column twice";
    s->columns[s->ncolumns++] = number;
    return NULL;
}

const char *add_graph(void *settings, int kind)
{
    ((struct settings *)settings)->graphs |= (unsigned)kind;
    return NULL;
}

/* Where :FILE begins.  Names of native events have colons themselves: there a
   FILE is known by a dot or a slash, or is "-". */
static const char *end_of_events(const char *text)
{
    const char *const last = strrchr(text, ','),
                      *const event = last != NULL ? last + 1 : text,
                      *const colon = strrchr(event, ':');

    return colon != NULL && (strncmp(event, "PAPI_", 5) == 0 ||
                             colon[1] == '-' || strpbrk(colon, "./") != NULL)
               ? colon
               : text + strlen(text);
}

const char *parse_events(void *settings, const char *text)
{
    struct settings *s = settings;
    const char *const end = end_of_events(text), *list, *word;
    char events[EVENTS_MAX * EVENT_ROOM];
    size_t n;

    if (*end == ':') {
        s->events_file = end + 1;
        if (end[1] == '\0')
            return "names no file after the colon";
    }
    if ((size_t)(end - text) >= sizeof events)
        return "is too long";
    snprintf(events, sizeof events, "%.*s", (int)(end - text), text);
    for (list = events; next_word(&list, &word, &n);) {
        if (n >= EVENT_ROOM)
            return "has a name that is too long";
        if (s->nevents == EVENTS_MAX)
            return "has more than 16 events";
        snprintf(s->event[s->nevents], EVENT_ROOM, "%.*s", (int)n, word);
        for (int i = 0; i < s->nevents; i++)
            if (strcmp(s->event[i], s->event[s->nevents]) == 0)
                return "names an event twice";
        s->nevents += n > 0;
    }
    return s->nevents > 0 ? NULL : "is empty";
}

const char *settings_parse_sides(const char *text, int least, int most,
                                 int alone, int side[2])
{
    const char *end;
    long first = number_whole(text, &end), second = first;
    const bool two = end != text && *end == ':';

    if (two) {
        text = end + 1;
        second = number_whole(text, &end);
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

void settings_record_sides(struct fields to, const char *name, const void *side)
{
    const struct fields list = fields_list(to, name);

    for (int i = 0; i < 2; i++)
        fields_int(list, NULL, ((const int *)side)[i]);
}

const char *settings_parse_numbers(const char *list, long values[PARAMETER_MAX],
                                   int *values_n)
{
    const char *word, *why = "is not a list of up to 32 whole numbers";
    size_t n;

    *values_n = 0;
    while (next_word(&list, &word, &n)) {
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

const char *parse_parameter(void *settings, const char *list)
{
    struct settings *s = settings;

    if (strcmp(list, "all") == 0) {
        s->nparameters = 1;
        s->parameter[0] = PARAMETER_OWN;
        return NULL;
    }
    return settings_parse_numbers(list, s->parameter, &s->nparameters);
}

const char *parse_expect(void *settings, const char *text)
{
    struct settings *s = settings;

    if (s->nexpect == EXPECT_MAX)
        return "is one too many: at most 16 are allowed";
    s->expect[s->nexpect++] = text;
    return identity_wrong(text, s->expects);
}

const char *parse_gpu_map(void *settings, const char *text)
{
    return gpu_map_parse(text, &((struct settings *)settings)->gpu_map);
}

const char *parse_pairing(void *settings, const char *text)
{
    return pairing_parse(text, &((struct settings *)settings)->pairing);
}
