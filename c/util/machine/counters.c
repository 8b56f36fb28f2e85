/* SPDX-License-Identifier: BSD-3-Clause */
#include "counters.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#ifdef HAVE_PAPI
#    include <papi.h>
#endif

enum { FIELD = 18 };

#ifdef HAVE_PAPI
enum { HAS_PAPI = true };

/* NULL, or what is wrong; *event is what it is wrong with. */
static const char *papi_set_up(struct counters *c, const char **event)
{
    long long values[EVENTS_MAX];
    int code = PAPI_library_init(PAPI_VER_CURRENT);

    *event = "PAPI";
    c->set = PAPI_NULL;
    if (code != PAPI_VER_CURRENT)
        return code < 0 ? PAPI_strerror(code) : "another version was built for";
    code = PAPI_create_eventset(&c->set);
    for (int i = 0; code == PAPI_OK && i < c->settings->nevents; i++) {
        *event = c->settings->event[i];
        code = PAPI_add_named_event(c->set, c->settings->event[i]);
    }
    if (code == PAPI_OK) {
        code = PAPI_start(c->set);
        if (code == PAPI_OK)
            code = PAPI_stop(c->set, values);
    }
    return code == PAPI_OK ? NULL : PAPI_strerror(code);
}

#else
enum { HAS_PAPI = false, PAPI_OK = 0 };
#    define PAPI_start(set)        (-1)
#    define PAPI_stop(set, values) ((void)(values), -1)

static const char *papi_set_up(struct counters *c, const char **event)
{
    *event = "PAPI";
    c->set = 0;
    return "it is not part of this build";
}
#endif

bool counters_are_built(void)
{
    return HAS_PAPI;
}

enum exit_code counters_open(struct counters *c, const char *program,
                             const struct settings *s,
                             const struct world *world)
{
    const char *event = "", *why;
    enum exit_code code;

    *c = (struct counters){ .settings = s };
    if (s->nevents == 0)
        return EXIT_OK;
    why = papi_set_up(c, &event);
    code = world_refuse_first(world, why != NULL, E26_CANNOT_COUNT, program,
                              "-P %s: %s", event, why);
    if (code == EXIT_OK)
        c->n = s->nevents;
    return code;
}

void counters_clear(struct counters *c)
{
    memset(c->mine, 0, sizeof c->mine);
}

static void lose_counts(struct counters *c)
{
    for (int i = 0; i < c->n; i++)
        c->mine[i] = NAN;
}

void counters_start(struct counters *c)
{
    if (c->n > 0 && PAPI_start(c->set) != PAPI_OK)
        lose_counts(c);
}

void counters_stop(struct counters *c)
{
    long long values[EVENTS_MAX];

    if (c->n == 0)
        return;
    if (PAPI_stop(c->set, values) != PAPI_OK) {
        lose_counts(c);
        return;
    }
    for (int i = 0; i < c->n; i++)
        c->batch[i] = (double)values[i];
}

void counters_keep(struct counters *c)
{
    for (int i = 0; i < c->n; i++)
        c->mine[i] += c->batch[i];
}

static void print_rule(FILE *to, int width)
{
    for (int i = 0; i < width; i++)
        fputc('-', to);
    fputc('\n', to);
}

/* counts: of each rank, all its events. */
static void write_block(struct counters *c, const double *counts, int ranks,
                        const struct counted_row *row)
{
    FILE *const to = c->file.to;
    int name = FIELD;

    for (int i = 0; i < c->n; i++)
        if ((int)strlen(c->settings->event[i]) > name)
            name = (int)strlen(c->settings->event[i]);
    fresh_file_grow(&c->file);
    if (row->type != NULL)
        fprintf(to, "Datatype: %s\n", row->type);
    if (row->bytes != NULL)
        fprintf(to, "Size: %zu\n", *row->bytes);
    print_rule(to, name + FIELD * ranks);
    fprintf(to, "%-*s", name, "PAPI Event Name");
    for (int rank = 0; rank < ranks; rank++) {
        char heading[24];

        snprintf(heading, sizeof heading, "Rank:%d", rank);
        fprintf(to, "%*s", FIELD, heading);
    }
    for (int i = 0; i < c->n; i++) {
        fprintf(to, "\n%-*s", name, c->settings->event[i]);
        for (int rank = 0; rank < ranks; rank++)
            fprintf(to, "%*.0f", FIELD,
                    counts[(size_t)rank * (size_t)c->n + (size_t)i]);
    }
    fprintf(to, "\n%-*s", name, "Iterations");
    for (int rank = 0; rank < ranks; rank++)
        fprintf(to, "%*ld", FIELD, row->laps);
    fputc('\n', to);
    print_rule(to, name + FIELD * ranks);
    fresh_file_flush(&c->file);
}

void counters_row(struct counters *c, const struct world *world,
                  const struct counted_row *row)
{
    double *counts = NULL;

    if (c->n == 0)
        return;
    if (world->rank == 0) {
        counts = calloc((size_t)world->size * (size_t)c->n, sizeof *counts);
        if (counts == NULL)
            world_no_memory("events of all ranks");
    }
    PMPI_Gather(c->mine, c->n, MPI_DOUBLE, counts, c->n, MPI_DOUBLE, 0,
                world->comm);
    if (world->rank == 0) {
        if (c->sum[0].name == NULL)
            fresh_file_begin(&c->file, c->settings->events_file, FRESH_ROWS);
        for (int i = 0; i < c->n; i++) {
            c->sum[i] = (struct event_count){ c->settings->event[i], 0 };
            for (int rank = 0; rank < world->size; rank++)
                c->sum[i].total +=
                    counts[(size_t)rank * (size_t)c->n + (size_t)i];
        }
        if (c->file.to != NULL)
            write_block(c, counts, world->size, row);
    }
    free(counts);
}

enum exit_code counters_close(struct counters *c, const char *program,
                              enum exit_code code)
{
    if (!fresh_file_end(&c->file, true)) {
        message_print(E21_NOT_WRITTEN, program, "-P %s: %s",
                      c->settings->events_file, strerror(errno));
        code = code == EXIT_OK ? messages[E21_NOT_WRITTEN].code : code;
    }
    return code;
}
