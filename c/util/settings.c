/* SPDX-License-Identifier: BSD-3-Clause */
#include "settings.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "result.h"
#include "settings_parse.h"

_Static_assert((int)EXTRA_COUNT <= (int)COLUMNS_MAX, "room for every column");

struct settings settings_default(const struct sizes *sizes)
{
    return (struct settings){
        .sizes = *sizes,
        .laps = -1,
        .warmup = -1,
        .timeout_s = 60,
        .window = 64,
        .print_rate = 1,
        .topology = "cart:1:1",
        .sync = RMA_FLUSH,
        .window_kind = WINDOW_ALLOCATE,
    };
}

const char *settings_word_of(const struct choice *choices, int value)
{
    while (choices->word != NULL && choices->value != value)
        choices++;
    return choices->word;
}

const char *parse_sizes(void *settings, const char *text)
{
    return sizes_parse(text, &((struct settings *)settings)->sizes);
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

const char *parse_types(void *settings, const char *text)
{
    while (*text != '\0') {
        const size_t n = strcspn(text, ",");
        bool known = n == 3 && strncasecmp(text, "all", n) == 0;

        for (int i = 0; i < TYPE_WORDS; i++)
            if (known || (strlen(type_words[i].word) == n &&
                          strncasecmp(text, type_words[i].word, n) == 0)) {
                add_type(settings, type_words[i].type);
                if (!known) {
                    known = true;
                    break;
                }
            }
        if (!known)
            return "is not one of mpi_char, mpi_int, mpi_float, mpi_double, "
                   "mpi_int64, all";
        text += n + (text[n] == ',');
    }
    return ((struct settings *)settings)->ntypes > 0 ? NULL : "is empty";
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

const char *parse_validation_warmup(void *settings, const char *text)
{
    char *end;
    const long n = strtol(text, &end, 10);

    (void)settings;
    return end == text || *end != '\0' || n < 0 || n > 10
               ? "is not a number from 0 to 10"
               : NULL;
}

const char *settings_word(void *settings, const char *text)
{
    static const char *const places[] = { "D", "H", "M", "MD", "MH" };
    struct settings *s = settings;

    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (strcasecmp(text, places[i]) == 0 && s->nwords < 2) {
            s->nwords++;
            s->device_words |= i != 1;
            return NULL;
        }
    return text[strspn(text, "0123456789")] == '\0'
               ? "; laps are given by -i N, sizes by -m MIN:MAX"
               : "; only D, H, M, MD or MH, the places of the two buffers, "
                 "may stand without an option";
}

double settings_precision(const struct settings *s)
{
    return s->precision > 0 ? s->precision : 0.01;
}

double settings_budget(const struct settings *s)
{
    if (s->budget_s > 0)
        return s->budget_s;
    return s->precision > 0 ? 10 : 0.050;
}

bool settings_fixed(const struct settings *s)
{
    return s->laps >= 0 || s->warmup >= 0;
}

const char *settings_conflict(const struct settings *s)
{
    if (s->check && s->verify_off)
        return "-c and --no-verify exclude each other";
    if (s->timeout_s > 0 && (s->timeout_s < 0.1 || s->timeout_s > 1e6))
        return "--timeout must be 0 (never) or lie between 0.1 s and 1e6 s";
    if (s->raw && s->json == NULL)
        return "--raw needs --json FILE";
    if (s->ranks > 0 && !s->dry_run)
        return "--ranks goes with --dry-run only";
    if (s->align_offset >= 4096)
        return "--align-offset must be below 4096";
    if (s->json != NULL && s->csv != NULL && strcmp(s->json, s->csv) == 0)
        return "--json and --csv name the same file";
    return NULL;
}

void settings_list(const struct option_set *set, FILE *to)
{
    for (const struct option_row *row = set->rows; row->name != NULL; row++) {
        if (!option_taken(set, row) || row->choices == NULL)
            continue;
        for (const struct choice *c = row->choices; c->word != NULL; c++)
            fprintf(to, "--%s %s\n", row->name, c->word);
    }
    if (set->takes & TAKES_TYPE)
        for (int i = 0; i < TYPE_WORDS; i++)
            fprintf(to, "--type %s\n", type_words[i].word);
    if (set->takes & TAKES_LAPS)
        for (int i = 0; i < EXTRA_COUNT; i++)
            fprintf(to, "--columns %-12s  %s\n", extra_columns[i].name,
                    extra_columns[i].meaning);
}
