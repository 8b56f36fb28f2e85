/* SPDX-License-Identifier: BSD-3-Clause */
#include "streams.h"

#include <math.h>
#include <stdlib.h>

#include "bench.h"
#include "job/world.h"
#include "machine/placement.h"
#include "report/rows.h"
#include "sampling/measure.h"

struct streams_settings {
    int apart;
};

static const struct streams_settings *settings_of(const struct settings *s)
{
    return s->family;
}

/* --- Who streams what ------------------------------------------------------------ */

/* Number of the pair of ranks that this one is in. */
static int pair_of(const struct bench_run *r)
{
    return r->rank % (r->nranks / 2);
}

bool streams_takes_part(const struct bench_run *r)
{
    return r->operation == STREAMS_THREADS ? pair_of(r) == 0
                                           : pair_of(r) < r->parameter;
}

static int blocks(const struct bench_run *r)
{
    const int threads = r->operation == STREAMS_THREADS ? (int)r->parameter : 1;

    return streams_takes_part(r) ? threads * r->window : 0;
}

static bool is_first(const struct bench_run *r)
{
    return r->rank < r->nranks / 2;
}

static int sends(const struct bench_run *r)
{
    return is_first(r) ? blocks(r) : 0;
}

static int receives(const struct bench_run *r)
{
    return is_first(r) ? 0 : blocks(r);
}

/* If any thread may receive a message, all have the same contents. */
static int slot(const struct bench_run *r, int i)
{
    return threads_of(r)->apart == APART_NONE ? 0 : i;
}

const struct flow flow_streams = {
    .sides = SIDES_BY_SENDER,
    .sends = sends,
    .to = flow_peer,
    .receives = receives,
    .from = flow_peer,
    .slot = slot,
    .window = true,
};

/* --- Options ------------------------------------------------------------------------ */

static const struct choice apart_words[] = {
    { "comm", APART_COMM, "a communicator for each thread" },
    { "tag", APART_TAG, "a tag for each thread" },
    { "none", APART_NONE, "nothing: any thread may receive a message" },
    { 0 },
};
static const struct option_row options[] = {
    { 0, "apart", "BY", .group = OPTIONS_SIDES, .common = true,
      .help = "what keeps messages of threads apart", .fallback = "comm",
      .kind = OPTION_CHOICE, .offset = offsetof(struct streams_settings, apart),
      .choices = apart_words, .json = "apart" },
    { 0 },
};
static const struct streams_settings defaults = { .apart = APART_COMM };

/* The largest T. */
static int most_threads(const struct settings *s)
{
    static const struct parameter numbers = STREAMS_NUMBERS;
    long value[PARAMETER_MAX], most = 1;
    const int n = parameter_values(&numbers, s, 2, value, NULL, 0);

    for (int i = 0; i < n; i++)
        if (value[i] > most)
            most = value[i];
    return (int)most;
}

static void plan(const struct bench *b, const struct settings *s,
                 struct plan *plan)
{
    (void)b;
    plan->threads[0] = plan->threads[1] = most_threads(s);
}

static void refuse(const struct context *c, struct refusal *r)
{
    if (!flow_is_countable(most_threads(c->settings),
                           settings_window(c->settings)))
        refusal_because(
            r, E12_USAGE,
            "-t and -W: more messages of all threads than can be counted");
}

static const char *lacks_row(const struct context *c, const struct row *row)
{
    if (row->operation == STREAMS_THREADS ||
        2 * row->parameter <= c->world->size)
        return NULL;
    return c->settings->nparameters > 0
               ? "each of these processes needs two of the ranks"
               : row_unasked;
}

/* --- State ------------------------------------------------------------------------------ */

static void describe(const struct context *c)
{
    *threads_of(c->run) = (struct threads){
        .streams = true,
        .apart = settings_of(c->settings)->apart,
    };
}

static enum exit_code begin(const struct context *c)
{
    if (pair_of(c->run) > 0)
        c->talk->threads = 1;
    return EXIT_OK;
}

/* What a library may rely on: one that has several network contexts can then serve
   threads independently.  Keys that it does not know have no effect. */
static MPI_Info make_info(int apart)
{
    MPI_Info info;

    MPI_Info_create(&info);
    MPI_Info_set(info, "mpi_assert_no_any_tag", "true");
    MPI_Info_set(info, "mpi_assert_no_any_source", "true");
    if (apart == APART_COMM)
        MPI_Info_set(info, "mpi_assert_new_vci", "true");
    return info;
}

static enum exit_code ready(const struct context *c, const struct buffers *b)
{
    struct threads *t = threads_of(c->run);
    const int wanted = t->apart == APART_COMM ? most_threads(c->settings) : 1;
    MPI_Info info = make_info(t->apart);

    (void)b;
    t->comm = world_room((size_t)wanted, sizeof *t->comm, "communicators");
    for (; t->comms < wanted; t->comms++)
        MPI_Comm_dup_with_info(c->run->comm, info, &t->comm[t->comms]);
    MPI_Info_free(&info);
    return EXIT_OK;
}

static void end(const struct context *c)
{
    struct threads *t = threads_of(c->run);

    while (t->comms > 0)
        MPI_Comm_free(&t->comm[--t->comms]);
    free(t->comm);
    free(t->base);
}

static void row(const struct context *c)
{
    struct bench_run *r = c->run;
    struct threads *t = threads_of(r);

    t->senders = t->receivers = (int)r->parameter;
    r->pairs = (int)r->parameter;
    r->sender = is_first(r) && streams_takes_part(r);
    r->comm = t->comm[0];
    r->tag = BENCH_TAG;
}

/* --- Output -------------------------------------------------------------------------------- */

/* The rate of the first row of that type and size; that of this row, if it is the first. */
static double base_of(struct threads *t, const struct result *r)
{
    struct threads_base *base;

    for (int i = 0; i < t->bases; i++)
        if (t->base[i].type == r->row->element &&
            t->base[i].bytes == r->row->bytes)
            return t->base[i].rate;
    base = realloc(t->base, ((size_t)t->bases + 1) * sizeof *base);
    if (base == NULL)
        world_no_memory("rows");
    t->base = base;
    t->base[t->bases] = (struct threads_base){ r->row->element, r->row->bytes,
                                               result_messages_per_s(r) };
    return t->base[t->bases++].rate;
}

static void measure(struct measure *m, struct result *result)
{
    struct threads *t = threads_of(m->context->run);
    double base;

    measure_pass(m, result, measure_budget(m));
    if (m->context->world->rank != 0)
        return;
    base = base_of(t, result);
    t->speed_up = base > 0 ? result_messages_per_s(result) / base : NAN;
}

static const struct report_column columns[] = {
    { { "bandwidth_mb_per_s", "MB/s", 0 }, report_mean },
    { { "messages_per_s", "Messages/s", 0 }, report_messages_per_s },
    { { "speed_up", "Speed-up", 0 }, COLUMN_OF(struct threads, speed_up) },
    { .value = NULL },
};

static void window_line(FILE *to, const struct bench_run *r,
                        const struct settings *s)
{
    fprintf(to, "# [ apart: %s ] [ window size: %d ]\n",
            choice_word(apart_words, settings_of(s)->apart), r->window);
}

const struct report report_streams = {
    .unit = "MB/s",
    .sample = "one window and its acknowledgement, of a thread or a process",
    .printed = MB_PER_S ", sum of all threads or processes), payload / mean "
                        "time; messages per second; and the rate relative to "
                        "the first section",
    .is_rate = true,
    .headline = columns,
    .compact = true,
    .preamble = window_line,
};

const struct family streams_family = {
    .name = "threads",
    .options = options,
    .defaults = &defaults,
    .settings = sizeof defaults,
    .refuse = refuse,
    .plan = plan,
    .lacks_row = lacks_row,
    .state = sizeof(struct threads),
    .describe = describe,
    .begin = begin,
    .ready = ready,
    .end = end,
    .row = row,
    .measure = measure,
};
