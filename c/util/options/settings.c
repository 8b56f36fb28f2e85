/* SPDX-License-Identifier: BSD-3-Clause */
#include "settings.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/messages.h"
#include "bench.h"
#include "parameter.h"
#include "settings_parse.h"
#include "settings_rows.h"

/* Groups of options that the program takes: its own, and those that follow from what
   it does. */
static unsigned takes_of(const struct bench *b)
{
    const bool sum = b->flow->sum, elements = b->takes & TAKES_TYPE,
               rotates = b->takes & TAKES_SIZES && !(b->loop & BINDS_BUFFERS),
               moves = elements && !sum && !b->flow->elsewhere &&
                       b->needs != NEEDS_PARTITIONED;

    return b->takes | (b->flow->blocks != BLOCKS_EQUAL ? TAKES_COUNTS : 0) |
           (b->takes & TAKES_CHECK || b->flow->synchronizes ? TAKES_VERIFY
                                                            : 0) |
           (moves ? TAKES_DERIVED : 0) | (elements && sum ? TAKES_SUMS : 0) |
           (rotates ? TAKES_ROTATION : 0) |
           (rotates && !(b->loop & POSTS_AHEAD) ? TAKES_TOUCH : 0);
}

/* Does OMB take that letter in this program, where it has no effect? */
static bool is_idle(const struct bench *b, const struct option_row *row)
{
    const bool computes = b->takes & TAKES_LAPS && report_has_full(b->report);

    return option_has_letter(row) &&
           ((b->idle != NULL && strchr(b->idle, row->key) != NULL) ||
            (computes && strchr("ar", row->key) != NULL));
}

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
                                .parse = parse_parameter,
                                .taken = true };
}

static bool is_alike(const struct option_row *a, const struct option_row *b)
{
    return a->key == b->key && (a->key != 0 || strcmp(a->name, b->name) == 0);
}

/* Rows of one letter, or without a letter of one name, are one: the first that the
   program takes, or else the first. */
static void add_row(struct option_row *rows, int *n, struct option_row row)
{
    int i = 0;

    while (i < *n && !is_alike(&rows[i], &row))
        i++;
    if (i < *n && (rows[i].taken || !row.taken))
        return;
    if (i < *n)
        memmove(&rows[i], &rows[i + 1], (size_t)(--*n - i) * sizeof *rows);
    rows[(*n)++] = row;
}

static int count_rows(const struct option_row *row)
{
    int n = 0;

    while (row != NULL && row[n].name != NULL)
        n++;
    return n;
}

static struct option_row *collect_rows(const struct bench *b,
                                       const struct settings *s)
{
    const struct option_row *own = bench_family(b)->options;
    const struct plan plan = bench_plan(b, s);
    const struct parameter *parameter =
        plan.swept != NULL ? plan.swept : &b->parameter;
    const int core = count_rows(settings_rows), more = count_rows(own);
    const unsigned takes = takes_of(b);
    struct option_row *rows = calloc((size_t)(core + more) + 2, sizeof *rows);
    int n = 0;

    for (int i = 0; rows != NULL && i < core + more; i++) {
        struct option_row row = i < core ? settings_rows[i] : own[i - core];

        row.of_family = i >= core;
        row.taken = row.takers == 0 || (row.takers & takes) != 0;
        row.idle = !row.taken && is_idle(b, &row);
        if (!row.of_family)
            settings_fit(&row, b, s);
        add_row(rows, &n, row);
    }
    if (rows != NULL && parameter->option != NULL)
        add_row(rows, &n, row_of(parameter));
    return rows;
}

static void *copy_defaults(const struct family *family)
{
    void *copy = family->settings > 0 ? malloc(family->settings) : NULL;

    if (copy != NULL)
        memcpy(copy, family->defaults, family->settings);
    return copy;
}

/* The sizes of -m, as "4:1M". */
static void print_sizes(size_t least, size_t most, char text[SETTINGS_SIZES])
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

void settings_begin(struct settings *s, const struct bench *b)
{
    const size_t element = element_size(bench_element(b));

    *s = (struct settings){
        .sizes = b->sizes,
        .timeout_s = 60,
        .print_rate = 1,
        .events_file = "papi_output.out",
        .family = copy_defaults(bench_family(b)),
        .of_omb = bench_is_of_omb(b),
    };
    if (bench_family(b)->settings > 0 && s->family == NULL)
        return;
    s->expects = bench_plan(b, s).expects;
    s->rows = collect_rows(b, s);
    if (s->rows == NULL) {
        settings_release(s);
        return;
    }
    print_sizes(b->sizes.min > element ? b->sizes.min : element, b->sizes.max,
                s->own_sizes);
    for (struct option_row *row = s->rows; row->name != NULL; row++)
        if (row->key == 'm')
            row->fallback = s->own_sizes;
        else if (row->add == add_column)
            row->choices = s->column_words;
}

void settings_release(struct settings *s)
{
    free(s->family);
    free(s->sizes.list);
    free(s->rows);
    s->family = NULL;
    s->rows = NULL;
}

void settings_record(const struct settings *s, struct fields to)
{
    option_record(s->rows, s, s->family, to);
}

void settings_warn(const struct settings *s, const char *program)
{
    const struct option_row *row = NULL;
    char name[40], idle[400] = "";

    while ((row = option_moot(s->rows, row, s)) != NULL)
        if (!row->idle)
            message_print(W36_NO_EFFECT, program, "%s has no effect: %s",
                          option_spelling(row, name), row->moot_because);
        else
            snprintf(idle + strlen(idle), sizeof idle - strlen(idle), " %s",
                     option_spelling(row, name));
    if (idle[0] != '\0')
        message_print(W36_NO_EFFECT, program, "no effect here:%s", idle);
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
    /* As in -f 1000: scripts for OMB have it. */
    if (s->of_omb && *text != '\0' &&
        text[strspn(text, "0123456789")] == '\0') {
        const size_t n = strlen(s->stray);

        snprintf(s->stray + n, sizeof s->stray - n, "%s%s", n > 0 ? " " : "",
                 text);
        return NULL;
    }
    return text[strspn(text, "0123456789.,")] == '\0'
               ? "; iterations are set with -i N, sizes with -m MIN:MAX; a list "
                 "has commas and no blanks: --sizes=8,16, -z50,99"
               : "; without an option only SRC DST are allowed, each H, HH, "
                 "HP, D, F, M, MD or MH";
}

const char *settings_words_wrong(const struct settings *s, bool sides)
{
    if (s->nwords == 1)
        return "SRC and DST are both needed, for example D D";
    if (!sides && (s->place[0] != s->place[1] || s->place[0] == PLACE_HUGE))
        return "all buffers of this program have one memory type, and not HH: "
               "SRC and DST must be alike, or left out";
    return NULL;
}

bool settings_device_words(const struct settings *s)
{
    return s->place[0] >= PLACE_PINNED || s->place[1] >= PLACE_PINNED;
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

enum disturbed settings_disturbed(const struct settings *s)
{
    return settings_fixed(s) ? DISTURBED_KEPT : s->disturbed;
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

bool settings_verifies(const struct settings *s)
{
    const struct verification *v = &s->verify;

    return !v->given || v->all || v->n > 0 || v->soak_s > 0;
}

long settings_checks(const struct settings *s, const struct sizes_counts *omb,
                     size_t bytes)
{
    if (s->verify.all || (s->check && !s->verify.given))
        return settings_laps(s, omb, bytes);
    return s->verify.given ? s->verify.n : 1;
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
    if (s->check && !settings_verifies(s))
        return "-c and --verify=0 (--no-verify) exclude each other";
    if (s->timeout_s > 0 && (s->timeout_s < 0.1 || s->timeout_s > 1e6))
        return "--timeout must be 0 (never) or between 0.1 s and 1e6 s";
    if (s->vary_window && s->window > 0)
        return "-V and -W exclude each other: -V sets the windows";
    if (s->vary_window && s->order != ORDER_UP)
        return "-V excludes --order: it prints a line for each size";
    if (s->raw && s->json == NULL)
        return "--raw requires --json FILE";
    if (s->ranks > 0 && !s->dry_run)
        return "--ranks requires --dry-run";
    if (s->no_table && s->json != NULL && s->csv != NULL &&
        strcmp(s->json, s->csv) == 0)
        return "--json=- and --csv=- exclude each other: standard output has "
               "room for one";
    if (s->no_table && (s->graphs & GRAPH_TTY) != 0)
        return "-G tty needs standard output, which --json=- and --csv=- take";
    return NULL;
}
