/* SPDX-License-Identifier: BSD-3-Clause */
#include "rma.h"

#include <math.h>
#include <time.h>

#include "base/simulation.h"
#include "base/sizes.h"
#include "bench.h"
#include "machine/placement.h"
#include "rma_window.h"
#include "sampling/buffer_pool.h"
#include "sampling/measure.h"
#include "side_by_side/side_by_side.h"

static void describe(const struct context *c)
{
    const struct bench *b = c->bench;
    const enum rma_sync sync = rma_sync_of(b, c->settings);
    const bool exclusive = flow_rma_of(b->flow)->exclusive >> sync & 1;

    *rma_of(c->run) = (struct rma){
        .win = MPI_WIN_NULL,
        .sync = sync,
        .kind = rma_window_kind(b, c->settings),
        .lock = exclusive ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED,
        .turns = rma_turns(b, c->settings),
        .room = SIMULATED ? NAN : rma_room(),
        .hot_spot = b->parameter.kind == PARAMETER_PARTNERS,
        .target = rma_settings(c->settings)->target,
        .target_us = rma_settings(c->settings)->target_us,
    };
    /* A passive target runs no laps, so there is nothing to synchronize it
       for. */
    if (!rma_is_active(sync) && !(b->takes & TAKES_CREATION))
        c->run->pool->together = false;
}

/* The size of the window: the same on all ranks, even if only one uses it. */
static size_t window_bytes(const struct context *c, size_t bytes, int slots)
{
    const bool one_block = flow_rma_of(c->bench->flow)->one_block;

    return buffer_size(bytes, one_block ? 1 : (size_t)slots, true);
}

static void memory(const struct context *c, struct buffers *b)
{
    struct rma *rma = rma_of(c->run);
    const size_t bytes = window_bytes(c, b->bytes, b->slots);

    buffers_add(b, rma_allocates(rma->kind) ? NULL : &rma->memory, b->kind,
                bytes);
    if (rma_allocates(rma->kind) && c->known >= KNOWN_NODES &&
        c->placement->node_size > 1 && isfinite(rma->room)) {
        b->beside.shared = bytes;
        b->beside.room = rma->room;
    }
}

static enum exit_code ready(const struct context *c, const struct buffers *b)
{
    rma_begin(rma_of(c->run), c->run, window_bytes(c, b->bytes, b->slots));
    return EXIT_OK;
}

static void end(const struct context *c)
{
    struct rma *rma = rma_of(c->run);

    if (rma->win != MPI_WIN_NULL)
        rma_end(rma);
}

static void row(const struct context *c)
{
    const unsigned elsewhere = c->bench->flow->elsewhere;
    struct bench_run *r = c->run;
    struct rma *rma = rma_of(r);

    rma->count = r->count;
    if (elsewhere & FLOW_SENDS)
        r->send = rma->base;
    if (elsewhere & FLOW_RECEIVES)
        r->recv = rma->base;
    r->pool->own = (struct buffer_pool_side){
        .buffer = &rma->memory,
        .place = rma->base,
        .bytes = rma->memory.bytes > 0
                     ? window_bytes(c, r->bytes, r->slots) - BUFFER_GUARD
                     : 0,
    };
}

static bool is_watched(const struct bench *b, int operation)
{
    return flow_rma_of(b->flow)->watched >> operation & 1;
}

/* An empty put has no byte whose arrival could be seen. */
static const char *lacks_row(const struct context *c, const struct row *row)
{
    return row->bytes == 0 && is_watched(c->bench, row->operation)
               ? "an empty put has no byte whose arrival could be seen"
               : NULL;
}

static void refuse(const struct context *c, struct refusal *r)
{
    bool far;

    rma_refuse(c, r);
    if (c->known < KNOWN_OPERATION || !is_watched(c->bench, c->operation))
        return;
    far = c->side[0] == &memory_device || c->side[1] == &memory_device;
    if (far || !rma_is_unified(c->world->comm))
        refusal_because(r, W30_NOT_UNIFIED, "operation %s is left out: %s",
                        c->bench->operations[c->operation].name,
                        far ? "the CPU cannot read device memory"
                            : "the CPU may not see a put by reading the "
                              "window (MPI_WIN_SEPARATE)");
}

/* A put may still be under way when the origin continues. */
static void plan(const struct bench *b, const struct settings *s,
                 struct plan *plan)
{
    plan->times_transfer = !rma_is_local(b, s);
}

static void record(const struct context *c, const struct recorded *what,
                   struct fields *to)
{
    static const char *const target[] = {
        [TARGET_IN_MPI] = "in MPI",
        [TARGET_ASLEEP] = "asleep",
        [TARGET_COMPUTING] = "computing",
    };
    const struct rma *rma = rma_of(c->run);

    if (!recorded_is_method(what))
        return;
    fields_text(*to, "synchronization", choice_word(rma_sync_words, rma->sync));
    fields_text(*to, "window_kind", choice_word(rma_window_words, rma->kind));
    fields_text(*to, "target", target[rma->target]);
    if (rma->target != TARGET_IN_MPI)
        fields_int(*to, "target_us", rma->target_us);
    fields_text(*to, "lock",
                rma_is_active(rma->sync)          ? NULL
                : rma->lock == MPI_LOCK_EXCLUSIVE ? "exclusive"
                                                  : "shared");
}

static enum exit_code print(FILE *to, const struct context *c,
                            const struct rows *rows)
{
    if (bench_operations(c->bench) > 0)
        side_by_side(to, c, rows, 0);
    return EXIT_OK;
}

/* --- The target ------------------------------------------------------------------- */

enum { TAG = 4 };

static void pass_time(const struct rma *rma)
{
    const double seconds = 1e-6 * (double)rma->target_us;
    const clock_ticks begun = clock_now();
    const struct timespec rest = { rma->target_us / 1000000,
                                   1000 * (rma->target_us % 1000000) };

    if (rma->target == TARGET_ASLEEP)
        nanosleep(&rest, NULL);
    else
        while (!SIMULATED && clock_seconds(clock_now() - begun) < seconds)
            continue;
}

void target_away(struct bench_run *r)
{
    MPI_Request request;
    int done = 0;

    MPI_Irecv(NULL, 0, MPI_BYTE, r->peer, TAG, r->comm, &request);
    while (!done) {
        pass_time(rma_of(r));
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
}

void target_call(struct bench_run *r)
{
    MPI_Send(NULL, 0, MPI_BYTE, r->peer, TAG, r->comm);
}

/* Both passes. */
static void measure(struct measure *m, struct result *result)
{
    struct rma *rma = rma_of(m->context->run);

    measure_pass(m, result, measure_budget(m));
    if (rma->target == TARGET_IN_MPI)
        return;
    const bool precise = result->precise;

    rma->in_mpi = result_mean(result);
    rma->away = true;
    measure_pass(m, result, measure_budget(m));
    rma->away = false; /* verify the operation alone */
    result->precise = result->precise && precise;
    rma->ratio = rma->in_mpi > 0 ? result_mean(result) / rma->in_mpi : NAN;
}

const struct family rma_family = {
    .name = "rma",
    .options = rma_options,
    .defaults = &rma_defaults,
    .settings = sizeof rma_defaults,
    .refuse = refuse,
    .lacks_row = lacks_row,
    .state = sizeof(struct rma),
    .describe = describe,
    .memory = memory,
    .ready = ready,
    .end = end,
    .row = row,
    .measure = measure,
    .plan = plan,
    .print = print,
    .record = record,
};
