/* SPDX-License-Identifier: BSD-3-Clause */
#include "threads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "data/gpu.h"
#include "job/placement.h"
#include "job/progress.h"
#include "job/world.h"
#include "report/result.h"
#include "run/measure.h"

struct streams_settings {
    int apart;
};

/* --- Who streams what ------------------------------------------------------------ */

/* Number of the pair of ranks that this one is in. */
static int pair_of(const struct bench_run *r)
{
    return r->rank % (r->nranks / 2);
}

bool streams_takes_part(const struct bench_run *r)
{
    return r->operation == STREAMS_THREADS ? pair_of(r) == 0 : pair_of(r) < r->parameter;
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
static int streams_slot(const struct bench_run *r, int i)
{
    return threads_of(r)->apart == APART_NONE ? 0 : i;
}

const struct flow flow_streams = {
    .sides = SIDES_BY_SENDER,
    .sends = sends,
    .to = flow_peer,
    .receives = receives,
    .from = flow_peer,
    .slot = streams_slot,
    .window = true,
};

/* --- Options ------------------------------------------------------------------------ */

static const struct choice apart_words[] = {
    { "comm", APART_COMM, "a communicator for each thread" },
    { "tag", APART_TAG, "a tag for each thread" },
    { "none", APART_NONE, "nothing: any thread may receive a message" },
    { 0 },
};
static const struct option_row streams_options[] = {
    { 0, "apart", "BY", .group = OPTIONS_SIDES, .common = true,
      .help = "what keeps messages of threads apart", .fallback = "comm", .kind = OPTION_CHOICE,
      .offset = offsetof(struct streams_settings, apart), .choices = apart_words, .json = "apart" },
    { 0 },
};
static const struct streams_settings streams_defaults = { .apart = APART_COMM };

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

static void streams_plan(const struct bench *b, const struct settings *s, struct plan *streams_plan)
{
    streams_plan->threads[0] = streams_plan->threads[1] = most_threads(s);
}

static void refuse(const struct context *c, struct refusal *r)
{
    if (!flow_is_countable(most_threads(c->settings), c->settings->window))
        refusal_because(r, E12_USAGE,
                        "-t and -W: more messages of all threads than can be counted");
}

static const char *lacks_row(const struct context *c, const struct row *row)
{
    if (row->operation == STREAMS_THREADS || 2 * row->parameter <= c->world->size)
        return NULL;
    return c->settings->nparameters > 0 ? "each of these processes needs two of the ranks"
                                        : row_unasked;
}

/* --- State ------------------------------------------------------------------------------ */

static void streams_describe(const struct context *c)
{
    const struct streams_settings *s = c->settings->family;

    *threads_of(c->run) = (struct threads){
        .streams = true,
        .apart = s->apart,
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

    t->comm = world_keep((size_t)wanted, sizeof *t->comm, "communicators");
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
        if (t->base[i].type == r->row->element && t->base[i].bytes == r->row->bytes)
            return t->base[i].rate;
    base = realloc(t->base, ((size_t)t->bases + 1) * sizeof *base);
    if (base == NULL)
        world_no_memory("rows");
    t->base = base;
    t->base[t->bases] =
        (struct threads_base){ r->row->element, r->row->bytes, result_messages_per_s(r) };
    return t->base[t->bases++].rate;
}

static void measure(struct measure *m, struct result *result)
{
    struct threads *t = threads_of(m->context->run);
    double base;

    measure_pass(m, result, settings_budget(m->context->settings));
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

static void window_line(FILE *to, const struct bench_run *r, const struct settings *s)
{
    fprintf(to, "# [ apart: %s ] [ window size: %d ]\n",
            choice_word(apart_words, threads_of(r)->apart), r->window);
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
    FAMILY_OPTIONS(streams_options, streams_defaults),
    .refuse = refuse,
    .plan = streams_plan,
    .lacks_row = lacks_row,
    .state = sizeof(struct threads),
    .describe = streams_describe,
    .begin = begin,
    .ready = ready,
    .end = end,
    .row = row,
    .measure = measure,
};

enum {
    LINE = 128, /* bytes; no two threads write to the same line */
};

struct worker {
    _Alignas(LINE) struct bench_run run;
    void (*loop)(struct bench_run *r);
    pthread_barrier_t *begin;
    pthread_t thread;
    clock_ticks *ticks; /* sample 0 is scratch, 1 the lead-in */
    long samples, stride;
};

/* The iterations of every sender in a batch. */
struct batch {
    long samples; /* of each sender, with its lead-in */
    long iterations, stride;
};

static int own(const struct bench_run *r)
{
    return r->sender ? threads_of(r)->senders : threads_of(r)->receivers;
}

/* The number of receivers that share the messages of one sender or, if there
   are fewer receivers than senders, of all senders. */
static int sharers(const struct threads *t, int receiver)
{
    if (t->receivers < t->senders)
        return t->receivers;
    return (t->receivers - receiver % t->senders + t->senders - 1) / t->senders;
}

/* The iterations of a sender in which every receiver gets at least one message. */
static int fewest_iterations(const struct threads *t)
{
    return t->receivers < t->senders ? 1 : sharers(t, 0);
}

/* Plan a batch: of the verification, only these. */
static struct batch batch_of(const struct bench_run *r)
{
    const struct threads *t = threads_of(r);
    const long wanted = r->iterations.end - r->iterations.next - 1;
    const long least = fewest_iterations(t), stride = r->iterations.stride;
    long samples = 1 + (wanted + t->senders - 1) / t->senders;

    if (r->turn > 0)
        return (struct batch){ least, least, 1 };
    if (samples * stride < least)
        samples = (least + stride - 1) / stride;
    return (struct batch){ samples, samples * stride, stride };
}

/* The number of messages that a receiver gets. */
static long share(const struct threads *t, int receiver, long iterations)
{
    const bool few = t->receivers < t->senders;
    const long all = few ? iterations * t->senders : iterations;
    const int parts = sharers(t, receiver);
    const int number = few ? receiver : receiver / t->senders;

    return all / parts + (number < all % parts ? 1 : 0);
}

/* Messages that this rank receives in a verified iteration, each into a place of its own. */
static int slots_of(const struct bench_run *r)
{
    return threads_of(r)->senders * fewest_iterations(threads_of(r));
}

/* From the place of a thread's message to that of its next. */
static int step_of(const struct bench_run *r)
{
    const struct threads *t = threads_of(r);

    if (r->sender)
        return t->senders;
    return t->receivers < t->senders ? t->receivers : slots_of(r) - t->senders;
}

/* An iteration of the verification receives into the place after that of the one before. */
static void next_slot(void *owner)
{
    struct worker *w = owner;

    if (w->run.iterations.next > w->ticks)
        w->run.recv = bench_recv_slot(&w->run, step_of(&w->run) * w->run.window);
}

static void *work(void *argument)
{
    struct worker *w = argument;

    gpu_join();
    memset(w->ticks, 0, (size_t)(w->samples + 1) * sizeof *w->ticks);
    iterations_prepare(&w->run.iterations, w->ticks, w->ticks, w->samples, w->stride);
    pthread_barrier_wait(w->begin);
    w->loop(&w->run);
    return NULL;
}

/* Give a thread its own view of the run. */
static void set_up(struct worker *w, const struct bench_run *r, int number,
                   const struct batch *batch)
{
    const struct threads *t = threads_of(r);

    w->run = *r;
    w->run.iterations.between = NULL; /* threads have no time apart from each other */
    w->run.send = bench_send_slot(r, number * r->window);
    w->run.recv = bench_recv_slot(r, number * r->window);
    w->run.request = r->request + number * r->window;
    if (t->comms > 1)
        w->run.comm = t->comm[number];
    w->run.tag =
        r->sender || t->receivers >= t->senders ? BENCH_TAG + number % t->senders : MPI_ANY_TAG;
    /* Receivers are not timed: all their iterations are one sample. */
    w->samples = r->sender ? batch->samples : 1;
    w->stride = r->sender ? batch->stride : share(t, number, batch->iterations);
    if (r->turn > 0) {
        w->samples = r->sender ? batch->iterations : share(t, number, batch->iterations);
        w->stride = 1;
        w->run.iterations.between = next_slot;
        w->run.iterations.owner = w;
    }
    w->ticks = world_room((size_t)w->samples, sizeof *w->ticks, "threads");
}

/* The time from the first thread's first sample to the last one's last, relative to the
   mean time of their samples.  It is above 1 if threads had their turns one after the
   other: each sample is then shorter than a window takes while all threads run. */
static double stretch(const struct worker *worker, int n)
{
    clock_ticks first = 0, last = 0;
    double sum = 0;

    for (int i = 0; i < n; i++) {
        const clock_ticks end = worker[i].run.iterations.mark;
        clock_ticks own_ticks = 0;

        for (long j = 2; j <= worker[i].samples; j++)
            own_ticks += worker[i].ticks[j];
        if (i == 0 || end - own_ticks < first)
            first = end - own_ticks;
        if (i == 0 || end > last)
            last = end;
        sum += (double)(int64_t)own_ticks;
    }
    return sum > 0 ? (double)(int64_t)(last - first) * n / sum : 1;
}

static void merge(struct bench_run *r, const struct worker *worker)
{
    const int n = threads_of(r)->senders;
    const double factor = threads_of(r)->streams ? stretch(worker, n) : 1;

    for (long i = 0; ++r->iterations.next < r->iterations.end; i++) {
        const clock_ticks own_ticks = worker[i % n].ticks[2 + i / n];

        *r->iterations.next =
            factor > 1 ? (clock_ticks)(int64_t)(factor * (double)(int64_t)own_ticks) : own_ticks;
    }
}

void threads_run(struct bench_run *r, void (*loop)(struct bench_run *r))
{
    const struct batch batch = batch_of(r);
    const int n = own(r);
    struct worker *worker = aligned_alloc(LINE, (size_t)n * sizeof *worker);
    pthread_barrier_t begin;

    if (worker == NULL || pthread_barrier_init(&begin, NULL, (unsigned)n) != 0)
        world_no_memory("threads");
    for (int i = 0; i < n; i++) {
        set_up(&worker[i], r, i, &batch);
        worker[i].loop = loop;
        worker[i].begin = &begin;
        iterations_prepare(&worker[i].run.iterations, worker[i].ticks, worker[i].ticks,
                           worker[i].samples, worker[i].stride);
    }
    if (r->iterations.between != NULL) {
        iterations_pause(&r->iterations);
        for (long i = 0; i < r->iterations.end - r->iterations.next; i++)
            r->iterations.begun[i] = 1;
    }
    progress_iterations(&worker[0].run.iterations);
    for (int i = 0; i < n; i++)
        world_thread(&worker[i].thread, work, &worker[i]);
    for (int i = 0; i < n; i++) {
        progress.reporter = worker[i].thread;
        pthread_join(worker[i].thread, NULL);
    }
    progress.reporter = pthread_self();
    progress_iterations(&r->iterations);
    if (r->sender && r->turn == 0)
        merge(r, worker);
    pthread_barrier_destroy(&begin);
    for (int i = 0; i < n; i++)
        free(worker[i].ticks);
    free(worker);
}

/* The contents that a thread receives are known if it has a partner of its
   own. */
static int slot(const struct bench_run *r, int i)
{
    const struct threads *t = threads_of(r);

    return t->receivers >= t->senders ? i % t->senders : 0;
}

const struct flow flow_threads = {
    .sides = SIDES_BY_SENDER,
    .sends = own,
    .to = flow_peer,
    .receives = slots_of,
    .from = flow_peer,
    .slot = slot,
    .window = true,
};

static const struct option_row options[] = {
    { 't', "num-threads", "[S:]R", .group = OPTIONS_SIDES, .common = true,
      .help = "threads of sender and receiver; 1 to 1024", .fallback = "1:2", .kind = OPTION_SIDES,
      .offset = offsetof(struct threads_settings, side), .min = 1, .max = THREADS_MOST,
      .missing = "1", .json = "threads" },
    { 0 },
};
static const struct threads_settings defaults = { { 1, 2 } };

static void describe(const struct context *c)
{
    const int *side = threads_settings(c->settings)->side;

    *threads_of(c->run) = (struct threads){ .senders = side[0], .receivers = side[1] };
}

static void print_threads(FILE *to, const struct bench_run *r, const struct settings *s)
{
    fprintf(to,
            "# Number of Sender threads: %d \n"
            "# Number of Receiver threads: %d\n",
            threads_of(r)->senders, threads_of(r)->receivers);
}

const struct report report_threads = {
    .unit = "us",
    .sample = "one round trip, seen by a thread of the first rank",
    .printed = "half of it, in us, mean over iterations of all its threads",
    .scale = 0.5,
    .headline = report_latency_columns,
    .before = print_threads,
};

static void plan(const struct bench *b, const struct settings *s, struct plan *plan)
{
    for (int side = 0; side < 2; side++)
        plan->threads[side] = threads_settings(s)->side[side];
}

const struct family threads_family = {
    .name = "threads",
    FAMILY_OPTIONS(options, defaults),
    .plan = plan,
    .state = sizeof(struct threads),
    .describe = describe,
};
