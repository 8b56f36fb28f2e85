/* SPDX-License-Identifier: BSD-3-Clause */
#include "settings.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "family.h"
#include "help.h"
#include "parameter.h"
#include "settings_parse.h"
#include "settings_rows.h"

_Static_assert((int)EXTRA_COUNT + (int)MORE_COLUMNS_MAX <= (int)COLUMNS_MAX,
               "room for every column");

/* The row of the option that names values of a parameter. */
static struct option_row row_of(const struct parameter *p)
{
    return (struct option_row){ .key = p->letter,
                                .name = p->option,
                                .argument = p->argument,
                                .group =
                                    p->group != 0 ? p->group : OPTIONS_FLIGHT,
                                .common = true,
                                .help = p->help,
                                .fallback = p->fallback,
                                .kind = OPTION_SPECIAL,
                                .parse = parse_parameter };
}

static int count_rows(const struct option_row *row)
{
    int n = 0;

    while (row != NULL && row[n].name != NULL)
        n++;
    return n;
}

static struct option_row *collect_rows(const struct parameter *parameter,
                                       const struct family *family)
{
    const struct option_row *own = family != NULL ? family->options : NULL;
    const int core = count_rows(settings_rows), more = count_rows(own);
    struct option_row *rows = calloc((size_t)(core + more) + 2, sizeof *rows);
    int n = core;

    if (rows == NULL)
        return NULL;
    memcpy(rows, settings_rows, (size_t)core * sizeof *rows);
    for (int i = 0; i < more; i++) {
        rows[n] = own[i];
        rows[n++].of_family = true;
    }
    if (parameter->option != NULL)
        rows[n] = row_of(parameter);
    return rows;
}

static void *copy_defaults(const struct family *family)
{
    void *copy = NULL;

    if (family == NULL || family->settings == 0)
        return NULL;
    copy = malloc(family->settings);
    if (copy != NULL)
        memcpy(copy, family->defaults, family->settings);
    return copy;
}

struct settings settings_default(const struct sizes *sizes,
                                 const struct parameter *parameter,
                                 const struct family *family)
{
    struct settings s = {
        .sizes = *sizes,
        .timeout_s = 60,
        .print_rate = 1,
        .events_file = "papi_output.out",
        .expects = family != NULL ? family->expects : NULL,
        .family = copy_defaults(family),
        .rows = collect_rows(parameter, family),
    };

    if (family != NULL && family->settings > 0 && s.family == NULL)
        settings_release(&s);
    return s;
}

void settings_release(struct settings *s)
{
    free(s->family);
    free(s->sizes.list);
    free(s->rows);
    s->family = NULL;
    s->rows = NULL;
}

void settings_record(const struct settings *s, unsigned takes, struct fields to)
{
    const struct option_set set = { .rows = s->rows,
                                    .takes = takes,
                                    .family = s->family };

    option_record(&set, s, to);
}

void settings_ignored(void *settings, const struct option_row *row)
{
    struct settings *s = settings;

    for (int i = 0; i < s->nignored; i++)
        if (s->ignored[i] == row)
            return;
    if (s->nignored < IGNORED_MAX)
        s->ignored[s->nignored++] = row;
}

const char *settings_word(void *settings, const char *text)
{
    struct settings *s = settings;
    const struct choice *place =
        choice_of(settings_place_words, text, strlen(text));

    if (place != NULL && s->nwords < 2) {
        s->place[s->nwords++] = (enum memory_place)place->value;
        return NULL;
    }
    return text[strspn(text, "0123456789.,")] == '\0'
               ? "; iterations are set with -i N, sizes with -m MIN:MAX; a list "
                 "has commas and no blanks: --sizes=8,16, -z50,99"
               : "; without an option only SRC DST are allowed, each H, HH, "
                 "HP, D, M, MD or MH";
}

const char *settings_words_wrong(const struct settings *s, bool sides)
{
    if (s->nwords == 1)
        return "SRC and DST are both needed, for example D D";
    if (s->nwords == 2 && !sides && s->place[0] != s->place[1])
        return "the buffers of this program have one memory type: leave out "
               "SRC DST";
    return NULL;
}

void settings_list(const struct settings *s, const struct option_set *set,
                   FILE *to)
{
    const struct extra_column *column;

    option_print_list(set, to);
    for (int i = 0; set->takes & TAKES_LAPS &&
                    (column = extra_column(s->more_columns, i)) != NULL;
         i++)
        fprintf(to, "--columns=%-17s  %s\n", column->name, column->meaning);
}

bool settings_device_words(const struct settings *s)
{
    return s->place[0] >= PLACE_DEVICE || s->place[1] >= PLACE_DEVICE;
}

bool settings_on_gpu(const struct settings *s)
{
    return s->device != DEVICE_HOST && settings_device_words(s);
}

static const double PRECISION = 0.01, BUDGET_S = 0.050, PRECISE_BUDGET_S = 10;
enum { WINDOW = 64 };

double settings_precision(const struct settings *s)
{
    return s->precision > 0 ? s->precision : PRECISION;
}

double settings_budget(const struct settings *s)
{
    if (s->budget_s > 0)
        return s->budget_s;
    return settings_precision(s) < PRECISION ? PRECISE_BUDGET_S : BUDGET_S;
}

const char *settings_time_named(const struct settings *s)
{
    return settings_precision(s) != PRECISION ? "--precision"
           : settings_budget(s) != BUDGET_S   ? "--budget"
                                              : NULL;
}

bool settings_brief(const struct settings *s)
{
    return settings_precision(s) >= PRECISION && settings_budget(s) <= BUDGET_S;
}

int settings_window(const struct settings *s)
{
    return s->window > 0 ? s->window : WINDOW;
}

bool settings_fixed(const struct settings *s)
{
    return s->laps.steps > 0 || s->warmup.steps > 0 || settings_as_omb(s);
}

bool settings_keeps_disturbed(const struct settings *s)
{
    return s->disturbed == DISTURBED_KEPT || settings_fixed(s);
}

long settings_laps(const struct settings *s, const struct sizes_counts *omb,
                   size_t bytes)
{
    return sizes_count(s->laps.steps > 0 ? &s->laps : &omb->laps, bytes);
}

long settings_warmup(const struct settings *s, const struct sizes_counts *omb,
                     size_t bytes)
{
    return sizes_count(s->warmup.steps > 0 ? &s->warmup : &omb->warmup, bytes);
}

long settings_most_laps(const struct settings *s)
{
    long most = s->laps.steps > 0 ? 0 : LONG_MAX;

    for (int i = 0; i < s->laps.steps; i++)
        if (s->laps.step[i].n > most)
            most = s->laps.step[i].n;
    return most;
}

bool settings_as_omb(const struct settings *s)
{
    return s->protocol == PROTOCOL_OMB;
}

const char *settings_conflict(const struct settings *s)
{
    if (s->check && s->verify_off)
        return "-c and --no-verify exclude each other";
    if (s->timeout_s > 0 && (s->timeout_s < 0.1 || s->timeout_s > 1e6))
        return "--timeout must be 0 (never) or between 0.1 s and 1e6 s";
    if (s->vary_window && settings_window(s) != WINDOW)
        return "-V and -W exclude each other: -V sets the windows";
    if (s->vary_window && s->order != ORDER_UP)
        return "-V excludes --order: it prints a line for each size";
    if (s->raw && s->json == NULL)
        return "--raw requires --json FILE";
    if (s->ranks > 0 && !s->dry_run)
        return "--ranks requires --dry-run";
    return NULL;
}

void settings_print_sizes(size_t least, size_t most, char text[SETTINGS_SIZES])
{
    static const char suffix[] = "\0KM";
    int at[2] = { 0, 0 };
    size_t size[2] = { least, most };

    for (int i = 0; i < 2; i++)
        for (; size[i] > 0 && size[i] % KiB == 0 && at[i] < 2; size[i] /= KiB)
            at[i]++;
    snprintf(text, SETTINGS_SIZES, "%zu%.1s:%zu%.1s", size[0], &suffix[at[0]],
             size[1], &suffix[at[1]]);
}
