/* SPDX-License-Identifier: BSD-3-Clause */
/* Options whose values are more than a word or a number; and --list, which
   prints what they take. */
#include "settings_parse.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "result.h"
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
    return pieces_parse(text, &((struct settings *)settings)->derived);
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

static const char *order_of(const char *text, enum order *order,
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
    return order_of(text, &s->order, &s->seed);
}

const char *parse_ready(void *settings, const char *text)
{
    struct settings *s = settings;

    s->ready_seed = 1;
    return order_of(text, &s->ready, &s->ready_seed);
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

const char *parse_validation_warmup(void *settings, const char *text)
{
    char *end;
    const long n = strtol(text, &end, 10);

    (void)settings;
    return end == text || *end != '\0' || n < 0 || n > 10
               ? "is not a number from 0 to 10"
               : NULL;
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
            (set->takes & TAKES_WHOLE && is_whole(type_words[i].type)))
            fprintf(to, "--type %s\n", type_words[i].word);
    if (set->takes & TAKES_LAPS)
        for (int i = 0; i < EXTRA_COUNT; i++)
            fprintf(to, "--columns %-12s  %s\n", extra_columns[i].name,
                    extra_columns[i].meaning);
}
