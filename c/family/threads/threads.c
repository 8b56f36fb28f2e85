/* SPDX-License-Identifier: BSD-3-Clause */
#include "threads.h"

#include <stdlib.h>
#include <string.h>

#include "gpu/gpu.h"
#include "job/progress.h"
#include "job/world.h"
#include "options/settings_parse.h"
#include "report/report_kinds.h"

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
    long laps, stride;
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
static int fewest_laps(const struct threads *t)
{
    return t->receivers < t->senders ? 1 : sharers(t, 0);
}

/* Plan a batch: of the verification, only these. */
static struct batch batch_of(const struct bench_run *r)
{
    const struct threads *t = threads_of(r);
    const long wanted = r->laps.end - r->laps.next - 1;
    const long least = fewest_laps(t), stride = r->laps.stride;
    long samples = 1 + (wanted + t->senders - 1) / t->senders;

    if (r->turn > 0)
        return (struct batch){ least, least, 1 };
    if (samples * stride < least)
        samples = (least + stride - 1) / stride;
    return (struct batch){ samples, samples * stride, stride };
}

/* The number of messages that a receiver gets. */
static long share(const struct threads *t, int receiver, long laps)
{
    const bool few = t->receivers < t->senders;
    const long all = few ? laps * t->senders : laps;
    const int parts = sharers(t, receiver);
    const int number = few ? receiver : receiver / t->senders;

    return all / parts + (number < all % parts ? 1 : 0);
}

/* Messages that this rank receives in a verified iteration, each into a place of its own. */
static int places(const struct bench_run *r)
{
    return threads_of(r)->senders * fewest_laps(threads_of(r));
}

/* From the place of a thread's message to that of its next. */
static int step_of(const struct bench_run *r)
{
    const struct threads *t = threads_of(r);

    if (r->sender)
        return t->senders;
    return t->receivers < t->senders ? t->receivers : places(r) - t->senders;
}

/* An iteration of the verification receives into the place after that of the one before. */
static void next_place(struct laps *l)
{
    struct worker *w =
        (struct worker *)(void *)((char *)l -
                                  offsetof(struct worker, run.laps));

    if (l->next > w->ticks)
        w->run.recv =
            bench_recv_slot(&w->run, step_of(&w->run) * w->run.window);
}

static void *work(void *argument)
{
    struct worker *w = argument;

    gpu_join();
    memset(w->ticks, 0, (size_t)(w->samples + 1) * sizeof *w->ticks);
    laps_prepare(&w->run.laps, w->ticks, w->ticks, w->samples, w->stride);
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
    w->run.laps.between = NULL; /* threads have no time apart from each other */
    w->run.send = bench_send_slot(r, number * r->window);
    w->run.recv = bench_recv_slot(r, number * r->window);
    w->run.request = r->request + number * r->window;
    if (t->comms > 1)
        w->run.comm = t->comm[number];
    w->run.tag = r->sender || t->receivers >= t->senders
                     ? BENCH_TAG + number % t->senders
                     : MPI_ANY_TAG;
    /* Receivers are not timed: all their iterations are one sample. */
    w->samples = r->sender ? batch->samples : 1;
    w->stride = r->sender ? batch->stride : share(t, number, batch->laps);
    if (r->turn > 0) {
        w->samples = r->sender ? batch->laps : share(t, number, batch->laps);
        w->stride = 1;
        w->run.laps.between = next_place;
    }
    w->ticks = malloc((size_t)(w->samples + 1) * sizeof *w->ticks);
    if (w->ticks == NULL)
        world_no_memory("threads");
}

/* The time from the first thread's first sample to the last one's last, relative to the
   mean time of their samples.  It is above 1 if threads had their turns one after the
   other: each sample is then shorter than a window takes while all threads run. */
static double stretch(const struct worker *worker, int n)
{
    clock_ticks first = 0, last = 0;
    double sum = 0;

    for (int i = 0; i < n; i++) {
        const clock_ticks end = worker[i].run.laps.mark;
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

    for (long i = 0; ++r->laps.next < r->laps.end; i++) {
        const clock_ticks own_ticks = worker[i % n].ticks[2 + i / n];

        *r->laps.next =
            factor > 1
                ? (clock_ticks)(int64_t)(factor * (double)(int64_t)own_ticks)
                : own_ticks;
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
        laps_prepare(&worker[i].run.laps, worker[i].ticks, worker[i].ticks,
                     worker[i].samples, worker[i].stride);
    }
    if (r->laps.between != NULL) {
        r->laps.between(&r->laps);
        for (long i = 0; i < r->laps.end - r->laps.next; i++)
            r->laps.begun[i] = 1;
    }
    progress_laps(&worker[0].run.laps);
    for (int i = 0; i < n; i++)
        world_thread(&worker[i].thread, work, &worker[i]);
    for (int i = 0; i < n; i++) {
        progress.reporter = worker[i].thread;
        pthread_join(worker[i].thread, NULL);
    }
    progress.reporter = pthread_self();
    progress_laps(&r->laps);
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
    .receives = places,
    .from = flow_peer,
    .slot = slot,
    .window = true,
};

static const char *parse_threads(void *settings, const char *text)
{
    struct threads_settings *s = settings;

    s->side[0] = 1;
    return settings_parse_sides(text, 1, THREADS_MOST, 1, s->side);
}

static const struct option_row options[] = {
    { 't', "num-threads", "[S:]R", .group = OPTIONS_SIDES, .common = true,
      .help = "threads of sender and receiver; 1 to 1024", .fallback = "1:2",
      .kind = OPTION_SPECIAL, .parse = parse_threads, .json = "threads",
      .record = settings_record_sides },
    { 0 },
};
static const struct threads_settings defaults = { { 1, 2 } };

static void describe(const struct context *c)
{
    const int *side = threads_settings(c->settings)->side;

    *threads_of(c->run) =
        (struct threads){ .senders = side[0], .receivers = side[1] };
}

static void print_threads(FILE *to, const struct bench_run *r,
                          const struct settings *s)
{
    (void)s;
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

static void plan(const struct bench *b, const struct settings *s,
                 struct plan *plan)
{
    (void)b;
    for (int side = 0; side < 2; side++)
        plan->threads[side] = threads_settings(s)->side[side];
}

const struct family threads_family = {
    .name = "threads",
    .options = options,
    .defaults = &defaults,
    .settings = sizeof defaults,
    .plan = plan,
    .state = sizeof(struct threads),
    .describe = describe,
};
