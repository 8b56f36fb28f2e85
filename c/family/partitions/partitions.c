/* SPDX-License-Identifier: BSD-3-Clause */
#include "partitions.h"

#include <sched.h>

#include "base/shuffle.h"
#include "bench.h"
#include "data/gpu.h"
#include "job/world.h"
#include "record/fields.h"

enum { PATIENCE = 1000 }; /* polls before other processes may run */

/* All threads wait here for the last one. */
static void meet(struct partitions *p)
{
    const unsigned meeting = atomic_load(&p->meetings);

    if (p->threads == 1)
        return;
    if (atomic_fetch_add(&p->met, 1) + 1 == p->threads) {
        atomic_store(&p->met, 0);
        atomic_fetch_add(&p->meetings, 1);
        return;
    }
    for (long n = 1; atomic_load(&p->meetings) == meeting; n++)
        if (n % PATIENCE == 0)
            sched_yield();
}

static void *work(void *run)
{
    struct bench_run *r = run;
    struct partitions *p = partitions_of(r);
    const int number = atomic_fetch_add(&p->numbered, 1) + 1;

    gpu_join();
    /* First: all threads exist; then: a message is marked */
    for (meet(p);; meet(p)) {
        meet(p);
        if (p->mark == NULL)
            return NULL;
        p->mark(r, number);
    }
}

void partitions_threads_begin(struct bench_run *r, void (*mark)(struct bench_run *r, int thread))
{
    struct partitions *p = partitions_of(r);

    p->mark = mark;
    p->numbered = 0;
    for (int i = 1; i < p->threads; i++)
        world_thread(&p->thread[i], work, r);
    meet(p);
}

void partitions_mark(struct bench_run *r)
{
    meet(partitions_of(r));
    partitions_of(r)->mark(r, 0);
    meet(partitions_of(r));
}

void partitions_threads_end(struct bench_run *r)
{
    struct partitions *p = partitions_of(r);

    p->mark = NULL;
    meet(p);
    for (int i = 1; i < p->threads; i++)
        pthread_join(p->thread[i], NULL);
}

static const char *parse_pready_order(void *settings, const char *text)
{
    struct partitions_settings *s = settings;

    s->seed = 1;
    return settings_parse_order(text, &s->order, &s->seed);
}

static void record_pready_order(struct fields to, const char *name, const void *settings)
{
    const struct partitions_settings *s = settings;

    fields_text(to, name, choice_word(settings_order_words, s->order));
    fields_known_int(to, "pready_seed", s->order == ORDER_RANDOM, (long long)s->seed);
}

#define FIELD(name) .offset = offsetof(struct partitions_settings, name)

static const struct choice pready_order_words[] = {
    { "up", ORDER_UP, "ascending" },
    { "down", ORDER_DOWN, "descending" },
    { "random", ORDER_RANDOM, "shuffled, as random:1" },
    { "random:SEED", ORDER_RANDOM, "shuffled with this seed, above 0" },
    { 0 },
};

static const struct option_row options[] = {
    PERSISTENT_OPTIONS,
    { 'q', "partitions", "N", .group = OPTIONS_FLIGHT, .common = true,
      .help = "partitions of a message; sizes that they do not divide into "
              "whole elements are left out",
      .fallback = "8", .kind = OPTION_INT, FIELD(n), .min = 1, .max = 1 << 20,
      .json = "partitions" },
    { 0, "pready-order", "HOW", .group = OPTIONS_FLIGHT,
      .help = "order in which partitions are marked ready", .fallback = "up",
      .kind = OPTION_SPECIAL, .choices = pready_order_words, .parse = parse_pready_order,
      .json = "pready_order", .record = record_pready_order },
    { 0, "pready-threads", "N", .group = OPTIONS_FLIGHT,
      .help = "threads of each rank that mark partitions ready, including the "
              "main thread; each marks a contiguous part of the order",
      .fallback = "1", .kind = OPTION_INT, FIELD(threads), .min = 1, .max = PARTITIONS_THREADS_MOST,
      .json = "pready_threads" },
    { 0 },
};
static const struct partitions_settings defaults = {
    .overlap.target = COMPUTE_NOT, .n = 8, .order = ORDER_UP, .seed = 1, .threads = 1
};

static void refuse(const struct context *c, struct refusal *r)
{
    const struct partitions_settings *p = partitions_settings(c->settings);

    if (p->threads > p->n)
        refusal_because(r, E12_USAGE, "--pready-threads must not exceed the partitions (-q)");
    overlap_refuse(c, r);
}

static void plan(const struct bench *b, const struct settings *s, struct plan *plan)
{
    const struct partitions_settings *own = partitions_settings(s);

    overlap_plan(b, s, plan);
    plan->swept = NULL;
    plan->elements = (size_t)own->n;
    plan->threads[0] = plan->threads[1] = own->threads;
}

static void put_in_order(struct partitions *p, const struct partitions_settings *s)
{
    uint64_t state = s->seed;

    for (int i = 0; i < p->n; i++)
        p->order[i] = s->order == ORDER_DOWN ? p->n - 1 - i : i;
    if (s->order == ORDER_RANDOM)
        shuffle(p->order, p->n, &state);
}

static enum exit_code ready(const struct context *c, const struct buffers *b)
{
    const struct partitions_settings *s = partitions_settings(c->settings);
    struct partitions *p = partitions_of(c->run);

    p->n = s->n;
    p->threads = s->threads;
    p->order = world_keep((size_t)p->n, sizeof *p->order, "the order of partitions");
    put_in_order(p, s);
    return EXIT_OK;
}

const struct family partitions_family = {
    .name = "partitions",
    FAMILY_OPTIONS(options, defaults),
    .refuse = refuse,
    .plan = plan,
    .state = sizeof(struct partitions),
    .describe = overlap_describe,
    .ready = ready,
    .forget = overlap_forget,
    .measure = overlap_measure,
    .record = overlap_record,
};
