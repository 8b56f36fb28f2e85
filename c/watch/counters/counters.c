/* SPDX-License-Identifier: BSD-3-Clause */
#include "counters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/element.h"
#include "bench.h"
#include "config.h"
#ifdef HAVE_PAPI
#    include <papi.h>
#endif

#include "job/world.h"
#include "options/option.h"
#include "record/fresh_file.h"
#include "report/result.h"

enum { FIELD = 18 };

static struct {
    const struct counters_asked *asked;
    int n;                    /* number of events; 0: nothing is counted */
    int set;                  /* event set of PAPI */
    double mine[EVENTS_MAX];  /* this rank's counts in the row; NAN: lost */
    double batch[EVENTS_MAX]; /* and in the last batch */
    struct fresh_file file;   /* of rank 0, from the first row on */
    bool counted;             /* a row, on rank 0 */
    double sum[EVENTS_MAX];   /* over the ranks, of the last row; NAN: lost */
} counters;

/* --- What is asked for ------------------------------------------------------------ */

/* Where :FILE begins.  Names of native events have colons themselves: there a
   FILE is known by a dot or a slash, or is "-". */
static const char *end_of_events(const char *text)
{
    const char *const last = strrchr(text, ','), *const event = last != NULL ? last + 1 : text,
                      *const colon = strrchr(event, ':');

    return colon != NULL && (strncmp(event, "PAPI_", 5) == 0 || colon[1] == '-' ||
                             strpbrk(colon, "./") != NULL)
               ? colon
               : text + strlen(text);
}

static const char *parse_events(void *field, const char *text)
{
    struct counters_asked *asked = field;
    const char *const end = end_of_events(text), *list, *word;
    char events[EVENTS_MAX * EVENT_ROOM];
    size_t n;

    if (*end == ':') {
        asked->file = fresh_file_of(end + 1);
        if (end[1] == '\0')
            return "names no file after the colon";
    }
    if ((size_t)(end - text) >= sizeof events)
        return "is too long";
    snprintf(events, sizeof events, "%.*s", (int)(end - text), text);
    for (list = events; option_next(&list, &word, &n);) {
        if (n >= EVENT_ROOM)
            return "has a name that is too long";
        if (asked->n == EVENTS_MAX)
            return "has more than 16 events";
        snprintf(asked->event[asked->n], EVENT_ROOM, "%.*s", (int)n, word);
        for (int i = 0; i < asked->n; i++)
            if (strcmp(asked->event[i], asked->event[asked->n]) == 0)
                return "names an event twice";
        asked->n += n > 0;
    }
    return asked->n > 0 ? NULL : "is empty";
}

static const struct option_row rows[] = {
    { 'P', "papi", "EVENT[,EVENT...][:FILE]", .group = OPTIONS_OUTPUT, TIMED,
      .help = "count PAPI events on every rank during the timed iterations; "
              "repeatable; after a native event FILE is - or has a . or a /",
      .fallback = "off; FILE: papi_output.out", .kind = OPTION_SPECIAL, .parse = parse_events },
    { 0 },
};

static void begin_options(void *asked, const struct bench *b, const struct settings *s)
{
    ((struct counters_asked *)asked)->file = "papi_output.out";
}

const struct option_part counters_options = { .rows = rows,
                                              .size = sizeof(struct counters_asked),
                                              .begin = begin_options };

/* --- Counts ----------------------------------------------------------------------- */

#ifdef HAVE_PAPI
enum { HAS_PAPI = true };

/* NULL, or what is wrong; *event is what it is wrong with. */
static const char *papi_set_up(const char **event)
{
    long long values[EVENTS_MAX];
    int code = PAPI_library_init(PAPI_VER_CURRENT);

    *event = "PAPI";
    counters.set = PAPI_NULL;
    if (code != PAPI_VER_CURRENT)
        return code < 0 ? PAPI_strerror(code) : "another version was built for";
    code = PAPI_create_eventset(&counters.set);
    for (int i = 0; code == PAPI_OK && i < counters.asked->n; i++) {
        *event = counters.asked->event[i];
        code = PAPI_add_named_event(counters.set, counters.asked->event[i]);
    }
    if (code == PAPI_OK) {
        code = PAPI_start(counters.set);
        if (code == PAPI_OK)
            code = PAPI_stop(counters.set, values);
    }
    return code == PAPI_OK ? NULL : PAPI_strerror(code);
}

#else
enum { HAS_PAPI = false, PAPI_OK = 0 };
#    define papi_set_up(event)     NULL
#    define PAPI_start(set)        (-1)
#    define PAPI_stop(set, values) ((void)(values), -1)
#endif

static enum exit_code open(const struct context *c)
{
    const char *event = "", *why;
    enum exit_code code;

    memset(&counters, 0, sizeof counters);
    counters.asked = ASKED(counters, c->settings);
    if (counters.asked->n == 0)
        return EXIT_OK;
    if (!HAS_PAPI)
        return world_refuse(c->world, E26_CANNOT_COUNT, "-P: this build has no PAPI");
    why = papi_set_up(&event);
    code = world_refuse_first(c->world, why != NULL, E26_CANNOT_COUNT, "-P %s: %s", event, why);
    if (code == EXIT_OK)
        counters.n = counters.asked->n;
    return code;
}

static void lose_counts(void)
{
    for (int i = 0; i < counters.n; i++)
        counters.mine[i] = NAN;
}

static void stop(void)
{
    long long values[EVENTS_MAX];

    if (PAPI_stop(counters.set, values) != PAPI_OK) {
        lose_counts();
        return;
    }
    for (int i = 0; i < counters.n; i++)
        counters.batch[i] = (double)values[i];
}

static void batch(enum batch_moment moment)
{
    if (counters.n == 0)
        return;
    switch (moment) {
    case BATCH_ROW:
        break;
    case BATCH_CLEAR:
        memset(counters.mine, 0, sizeof counters.mine);
        break;
    case BATCH_START:
        if (PAPI_start(counters.set) != PAPI_OK)
            lose_counts();
        break;
    case BATCH_STOP:
        stop();
        break;
    case BATCH_KEEP:
        for (int i = 0; i < counters.n; i++)
            counters.mine[i] += counters.batch[i];
    }
}

static void print_rule(FILE *to, int width)
{
    for (int i = 0; i < width; i++)
        fputc('-', to);
    fputc('\n', to);
}

/* counts: of each rank, all its events. */
static void write_block(const struct context *c, const double *counts, const struct result *result)
{
    FILE *const to = counters.file.to;
    const bool sized = bench_is_sized(c->bench);
    const int ranks = c->world->size;
    int name = FIELD;

    for (int i = 0; i < counters.n; i++)
        if ((int)strlen(counters.asked->event[i]) > name)
            name = (int)strlen(counters.asked->event[i]);
    fresh_file_grow(&counters.file);
    if (sized && c->settings->ntypes > 1)
        fprintf(to, "Datatype: %s\n", element_name(result->row->element));
    if (sized)
        fprintf(to, "Size: %zu\n", result->row->bytes);
    print_rule(to, name + FIELD * ranks);
    fprintf(to, "%-*s", name, "PAPI Event Name");
    for (int rank = 0; rank < ranks; rank++) {
        char heading[24];

        snprintf(heading, sizeof heading, "Rank:%d", rank);
        fprintf(to, "%*s", FIELD, heading);
    }
    for (int i = 0; i < counters.n; i++) {
        fprintf(to, "\n%-*s", name, counters.asked->event[i]);
        for (int rank = 0; rank < ranks; rank++)
            fprintf(to, "%*.0f", FIELD, counts[(size_t)rank * (size_t)counters.n + (size_t)i]);
    }
    fprintf(to, "\n%-*s", name, "Iterations");
    for (int rank = 0; rank < ranks; rank++)
        fprintf(to, "%*ld", FIELD, result->iterations);
    fputc('\n', to);
    print_rule(to, name + FIELD * ranks);
    fresh_file_flush(&counters.file);
}

static void measured(const struct context *c, const struct result *result)
{
    const struct world *const world = c->world;
    const int n = counters.n;
    double *counts = NULL;

    if (n == 0 || result->row == NULL)
        return;
    if (world->rank == 0)
        counts = world_room((size_t)world->size * (size_t)n, sizeof *counts, "events of all ranks");
    PMPI_Gather(counters.mine, n, MPI_DOUBLE, counts, n, MPI_DOUBLE, 0, world->comm);
    if (world->rank == 0) {
        if (!counters.counted)
            fresh_file_begin(&counters.file, counters.asked->file, FRESH_ROWS);
        counters.counted = true;
        memset(counters.sum, 0, sizeof counters.sum);
        for (int i = 0; i < n * world->size; i++)
            counters.sum[i % n] += counts[i];
        if (counters.file.to != NULL)
            write_block(c, counts, result);
    }
    free(counts);
}

void counters_record(const struct result *result, struct fields row)
{
    if (!counters.counted)
        return;
    row = fields_object(row, "counters");
    for (int i = 0; i < counters.n; i++) {
        const double total = counters.sum[i];
        const struct fields event = fields_known(row, counters.asked->event[i], isfinite(total));

        fields_real(event, "total", total);
        fields_real(event, "per_iteration", total / (double)result->iterations);
    }
}

static enum exit_code end(const struct context *c, const struct ending *ending)
{
    return fresh_file_end(&counters.file, "-P", ending->code);
}

const struct watcher counters_watcher = {
    .open = open, .batch = batch, .measured = measured, .end = end
};
