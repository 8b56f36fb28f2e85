/* SPDX-License-Identifier: BSD-3-Clause */
#include "rma.h"

#include <math.h>
#include <time.h>

#include "base/number.h"
#include "base/simulation.h"
#include "base/sizes.h"
#include "bench.h"
#include "collective/collective.h"
#include "data/gpu.h"
#include "data/verify.h"
#include "job/placement.h"
#include "record/fields.h"
#include "rma_window.h"
#include "run/measure.h"
#include "run/prepare.h"
#include "side_by_side/side_by_side.h"

/* --- Options --------------------------------------------------------------------- */

enum { DEFAULT_US = 1000, MOST_US = 10000000 };

static const struct rma_settings defaults = {
    .sync = -1,
    .window_kind = -1,
};

#define PASSIVE                                                                                    \
    { "lock", RMA_LOCK, "MPI_Win_lock and MPI_Win_unlock" },                                       \
        { "flush", RMA_FLUSH, "MPI_Win_flush in one long epoch" },                                 \
        { "flush_local", RMA_FLUSH_LOCAL, "MPI_Win_flush_local: local completion only" },          \
    {                                                                                              \
        "lock_all", RMA_LOCK_ALL, "MPI_Win_lock_all and MPI_Win_unlock_all"                        \
    }
#define ACTIVE                                                                                     \
    { "pscw", RMA_PSCW, "MPI_Win_post, _start, _complete and _wait" },                             \
    {                                                                                              \
        "fence", RMA_FENCE, "MPI_Win_fence"                                                        \
    }

const struct choice rma_sync_words[] = { PASSIVE, ACTIVE, { 0 } };
static const struct choice active_words[] = { ACTIVE, { 0 } };
static const struct choice passive_words[] = { PASSIVE, { 0 } };
const struct choice rma_window_words[] = {
    { "create", WINDOW_CREATE, "MPI_Win_create" },
    { "allocate", WINDOW_ALLOCATE, "MPI_Win_allocate; in GPU memory or huge pages MPI_Win_create" },
    { "dynamic", WINDOW_DYNAMIC, "MPI_Win_create_dynamic, MPI_Win_attach" },
    { "allocate_shared", WINDOW_ALLOCATE_SHARED, "MPI_Win_allocate_shared, on one node only" },
    { 0 },
};

static const struct choice target_words[] = {
    { "in-mpi", TARGET_IN_MPI, "waits in MPI" },
    { "asleep:US", TARGET_ASLEEP, "sleeps, and calls MPI every US us" },
    { "computing:US", TARGET_COMPUTING, "computes, and calls MPI every US us" },
    { 0 },
};

static const char *const target_names[] = {
    [TARGET_IN_MPI] = "in MPI",
    [TARGET_ASLEEP] = "asleep",
    [TARGET_COMPUTING] = "computing",
};

static const char *parse_target(void *settings, const char *text)
{
    struct rma_settings *s = settings;
    const char *us;
    const struct choice *word = choice_before_colon(target_words, text, &us);

    if (word == NULL)
        return "is not in-mpi, asleep:US or computing:US";
    s->target = word->value;
    s->target_us = DEFAULT_US;
    if (us == NULL)
        return NULL;
    return s->target != TARGET_IN_MPI && number_is(us, 1, MOST_US, &s->target_us)
               ? NULL
               : "needs whole us from 1 to 10000000 after the colon";
}

#define SYNC                                                                                       \
    's', "sync-option", "HOW", .group = OPTIONS_RMA, .common = true,                               \
                               .programs = "one-sided programs", .kind = OPTION_CHOICE,            \
                               .offset = offsetof(struct rma_settings, sync)

static const struct option_row options[] = {
    { SYNC, .takers = TAKES_RMA, .help = "synchronization", .fallback = "flush",
      .choices = rma_sync_words },
    { SYNC, .takers = TAKES_ACTIVE,
      .help = "synchronization; both ranks are targets and take part in it", .fallback = "pscw",
      .choices = active_words },
    { SYNC, .takers = TAKES_PASSIVE, .help = "synchronization; the target takes no part in it",
      .fallback = "flush", .choices = passive_words },
    { 'w', "win-options", "KIND", .group = OPTIONS_RMA, .common = true,
      .help = "how the window is created", .fallback = "allocate", .kind = OPTION_CHOICE,
      .offset = offsetof(struct rma_settings, window_kind), .choices = rma_window_words },
    { 0, "target", "WHAT", .group = OPTIONS_RMA, .common = true, .takers = TAKES_RMA,
      .programs = "one-sided programs of pairs",
      .help = "what a passive target does meanwhile; other than in-mpi: a "
              "second pass, and its ratio to in-mpi. US is 1000 if left out",
      .fallback = "in-mpi", .kind = OPTION_SPECIAL, .parse = parse_target,
      .choices = target_words },
    { 0 },
};

/* OMB 7.4 sets no defaults in get_acc_latency: its window and its synchronization are the
   first ones of their lists. */
static bool has_no_defaults(const struct bench *b, const struct settings *s)
{
    return settings_as_omb(s) && b->flow == &flow_get_accumulate;
}

enum rma_sync rma_sync_of(const struct bench *b, const struct settings *s)
{
    const int asked = rma_settings(s)->sync;

    if (asked >= 0)
        return (enum rma_sync)asked;
    if (has_no_defaults(b, s))
        return RMA_LOCK;
    return b->takes & TAKES_ACTIVE ? RMA_PSCW : RMA_FLUSH;
}

/* Do data only leave, because a flush_local says nothing of their arrival? */
static bool is_local(const struct bench *b, const struct settings *s)
{
    const bool leaves =
        (b->flow->elsewhere & FLOW_RECEIVES) != 0 || b->flow->receives == flow_no_block;

    return leaves && rma_sync_of(b, s) == RMA_FLUSH_LOCAL;
}

/* Do both ranks operate, one after the other? */
static bool turns(const struct bench *b, const struct settings *s)
{
    return !(b->takes & TAKES_WINDOW) && rma_is_active(rma_sync_of(b, s));
}

/* Does MPI allocate the memory of such windows? */
static bool allocates(enum window_kind kind)
{
    return kind == WINDOW_ALLOCATE || kind == WINDOW_ALLOCATE_SHARED;
}

/* Is the memory of that buffer of a type that MPI does not allocate? */
static bool is_own(const struct settings *s, int side)
{
    return s->memory[side] == MEMORY_HUGE ||
           (s->memory[side] >= MEMORY_PINNED && gpu_runtime() != NULL);
}

/* Is a target's memory such?  What MPI allocates is no window then. */
static bool targets_own(const struct bench *b, const struct settings *s)
{
    const bool first_is_target = flow_rma_of(b->flow)->both_ways || turns(b, s);

    return is_own(s, 1) || (first_is_target && is_own(s, 0));
}

enum window_kind rma_window_kind(const struct bench *b, const struct settings *s)
{
    const int asked = rma_settings(s)->window_kind;

    if (asked >= 0 && asked != WINDOW_ALLOCATE)
        return (enum window_kind)asked;
    if (targets_own(b, s) || (asked < 0 && has_no_defaults(b, s)))
        return WINDOW_CREATE;
    return WINDOW_ALLOCATE;
}

static bool is_watched(const struct bench *b, int operation)
{
    return flow_rma_of(b->flow)->watched >> operation & 1;
}

static void refuse(const struct context *c, struct refusal *r)
{
    const struct bench *b = c->bench;
    const struct settings *s = c->settings;
    bool far;

    if (allocates(rma_window_kind(b, s)) && targets_own(b, s))
        refusal_because(r, E12_USAGE,
                        "-w allocate_shared is host memory (H), which MPI allocates; "
                        "use -w create or -w dynamic for other memory");
    if (rma_settings(s)->target != TARGET_IN_MPI && rma_is_active(rma_sync_of(b, s)))
        refusal_because(r, E12_USAGE,
                        "--target=asleep and computing need a passive target: "
                        "use -s lock, flush, flush_local or lock_all");
    if (rma_window_kind(b, s) == WINDOW_ALLOCATE_SHARED)
        placement_refuse_nodes(c->placement, "-w allocate_shared", r);
    if (c->known < KNOWN_OPERATION || !is_watched(b, c->operation))
        return;
    far = memory_is_far(c->side[0]) || memory_is_far(c->side[1]);
    if (far || !rma_is_unified(c->world->comm))
        refusal_because(r, W30_NOT_UNIFIED, "operation %s is left out: %s",
                        b->operations[c->operation].name,
                        far ? "the CPU cannot read device memory"
                            : "the CPU may not see a put by reading the window (MPI_WIN_SEPARATE)");
}

/* --- Tables ---------------------------------------------------------------------- */

/* In MPI's names, as OMB prints them. */
static void window_lines(FILE *to, const struct bench_run *r, const struct settings *s)
{
    static const char *const window[] = {
        [WINDOW_CREATE] = "MPI_Win_create",
        [WINDOW_ALLOCATE] = "MPI_Win_allocate",
        [WINDOW_DYNAMIC] = "MPI_Win_create_dynamic",
        [WINDOW_ALLOCATE_SHARED] = "MPI_Win_allocate_shared",
    };
    static const char *const sync[] = {
        [RMA_LOCK] = "MPI_Win_lock/unlock",
        [RMA_FLUSH] = "MPI_Win_flush",
        [RMA_FLUSH_LOCAL] = "MPI_Win_flush_local",
        [RMA_LOCK_ALL] = "MPI_Win_lock_all/unlock_all",
        [RMA_PSCW] = "MPI_Win_post/start/complete/wait",
        [RMA_FENCE] = "MPI_Win_fence",
    };

    fprintf(to, "# Window creation: %s\n# Synchronization: %s\n", window[rma_of(r)->kind],
            sync[rma_of(r)->sync]);
    if (rma_of(r)->target != TARGET_IN_MPI)
        fprintf(to, "# Target: %s, %ld us at a time\n", target_names[rma_of(r)->target],
                rma_of(r)->target_us);
}

/* If an iteration has two operations, half of it is printed. */
static void one_operation(const struct context *c, struct result *result)
{
    result->scale = rma_takes_turns(c->run) ? 0.5 : 1;
}

/* One window for each peer. */
static void windows_of_others(const struct context *c, struct result *result)
{
    result->messages = (double)c->run->window * (double)result->row->parameter;
}

static struct cell mean_of_each(const struct result *r)
{
    return cell_real(result_mean(r) / (double)r->row->parameter);
}

static bool is_complete(const struct bench *b, const struct settings *s)
{
    return !is_local(b, s);
}

static bool is_away(const struct bench *b, const struct settings *s)
{
    return rma_settings(s)->target != TARGET_IN_MPI;
}

/* A heading says if what it shows is local completion alone. */
#define COLUMNS(key, heading, local, value)                                                        \
    { { key, heading, 0 }, value, .shown = is_complete },                                          \
    {                                                                                              \
        { key, local, 0 }, value, .shown = is_local                                                \
    }

/* With the target away from MPI: the same with the target in MPI, and the ratio. */
#define IN_MPI(key, heading)                                                                       \
    { { key, heading, 0 }, COLUMN_OF(struct rma, in_mpi), .shown = is_away },                      \
    {                                                                                              \
        { "ratio", "Ratio", 0 }, COLUMN_OF(struct rma, ratio), .shown = is_away                    \
    }

static const struct report_column latency_columns[] = {
    COLUMNS("latency_us", "Latency (us)", "Local (us)", report_mean),
    IN_MPI("in_mpi_us", "In MPI (us)"),
    { .value = NULL },
};
static const struct report_column bandwidth_columns[] = {
    COLUMNS("bandwidth_mb_per_s", "Bandwidth (MB/s)", "Local (MB/s)", report_mean),
    IN_MPI("in_mpi_mb_per_s", "In MPI (MB/s)"),
    { .value = NULL },
};
static const struct report_column hot_spot_columns[] = {
    COLUMNS("aggregate_mb_per_s", "All (MB/s)", "All Local (MB/s)", report_mean),
    COLUMNS("each_mb_per_s", "Each (MB/s)", "Each Local (MB/s)", mean_of_each),
    { .value = NULL },
};

#define OPERATION  "one operation and its synchronization, "
#define OPERATIONS "one window of operations and its synchronization, "
#define ONE_WAY    "us for one operation (pscw, fence: half of two), mean over iterations"
#define LOCALLY    "; with flush_local that of local completion only"

#define AS_TABLE .compact = true, .one_sided = true, .preamble = window_lines
#define RATE     .unit = "MB/s", .is_rate = true, AS_TABLE
#define ORIGIN_LATENCY                                                                             \
    .unit = "us", .sample = OPERATION "seen by the origin (pscw, fence: one each way)",            \
    .printed = ONE_WAY LOCALLY, .figure = one_operation, .headline = latency_columns, AS_TABLE

const struct report report_rma_latency = { ORIGIN_LATENCY };
const struct report report_rma_latency_alone = { ORIGIN_LATENCY, .no_type_line = true };
const struct report report_rma_latency_of_pairs = {
    .unit = "us",
    .sample = OPERATION "seen by the origin of each pair (pscw, fence: one "
                        "each way), after all ranks were synchronized",
    .printed = ONE_WAY " and pairs" LOCALLY,
    .figure = one_operation,
    .headline = latency_columns,
    AS_TABLE,
};
const struct report report_rma_bandwidth = {
    RATE,
    .sample = OPERATIONS "seen by the origin",
    .printed = MB_PER_S ", one direction), payload / mean time" LOCALLY,
    .headline = bandwidth_columns,
};
const struct report report_rma_both_ways = {
    RATE,
    .sample = OPERATIONS "in either direction, seen by rank 0",
    .printed = MB_PER_S ", sum of both directions), payload / mean time",
    .both_ways = true,
    .headline = report_bandwidth_columns,
};
const struct report report_rma_bandwidth_of_pairs = {
    RATE,
    .sample = OPERATIONS "seen by the origin of each pair, after all ranks were synchronized",
    .printed = MB_PER_S ", sum of all pairs), payload / mean time of the origins" LOCALLY,
    .headline = bandwidth_columns,
};
const struct report report_rma_hot_spot = {
    RATE,
    .sample = OPERATIONS "seen by each peer, after all ranks were synchronized",
    .printed = MB_PER_S ", of all peers together, and of each), payload / "
                        "mean time of the peers" LOCALLY,
    .figure = windows_of_others,
    .headline = hot_spot_columns,
};

/* --- The family ------------------------------------------------------------------- */

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
        .turns = turns(b, c->settings),
        .room = SIMULATED ? NAN : rma_room(),
        .hot_spot = b->parameter.kind == PARAMETER_PARTNERS,
        .target = rma_settings(c->settings)->target,
        .target_us = rma_settings(c->settings)->target_us,
    };
    /* A passive target runs no iterations, so there is nothing to synchronize it for. */
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

    buffers_add(b, allocates(rma->kind) ? NULL : &rma->memory, b->kind, bytes);
    if (allocates(rma->kind) && c->known >= KNOWN_NODES && c->placement->node_size > 1 &&
        isfinite(rma->room)) {
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
        .current = rma->base,
        .bytes = rma->memory.bytes > 0 ? window_bytes(c, r->bytes, r->slots) - BUFFER_GUARD : 0,
    };
}

/* An empty put has no byte whose arrival could be seen. */
static const char *lacks_row(const struct context *c, const struct row *row)
{
    return row->bytes == 0 && is_watched(c->bench, row->operation)
               ? "an empty put has no byte whose arrival could be seen"
               : NULL;
}

/* A put may still be under way when the origin continues. */
static void plan(const struct bench *b, const struct settings *s, struct plan *plan)
{
    plan->times_transfer = !is_local(b, s);
}

static void record(const struct context *c, const struct recorded *what, struct fields *to)
{
    const struct rma *rma = rma_of(c->run);

    if (what->part != RECORDED_METHOD)
        return;
    fields_text(*to, "synchronization", choice_word(rma_sync_words, rma->sync));
    fields_text(*to, "window_kind", choice_word(rma_window_words, rma->kind));
    fields_text(*to, "target", target_names[rma->target]);
    if (rma->target != TARGET_IN_MPI)
        fields_int(*to, "target_us", rma->target_us);
    fields_text(*to, "lock",
                rma_is_active(rma->sync)          ? NULL
                : rma->lock == MPI_LOCK_EXCLUSIVE ? "exclusive"
                                                  : "shared");
}

static enum exit_code print(FILE *to, const struct context *c, const struct rows *rows)
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
    const struct timespec rest = { rma->target_us / 1000000, 1000 * (rma->target_us % 1000000) };

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

    measure_pass(m, result, settings_budget(m->context->settings));
    if (rma->target == TARGET_IN_MPI)
        return;
    const bool precise = result->precise;

    rma->in_mpi = result_mean(result);
    rma->away = true;
    measure_pass(m, result, settings_budget(m->context->settings));
    rma->away = false; /* verify the operation alone */
    result->precise = result->precise && precise;
    rma->ratio = rma->in_mpi > 0 ? result_mean(result) / rma->in_mpi : NAN;
}

const struct family rma_family = {
    .name = "rma",
    FAMILY_OPTIONS(options, defaults),
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

/* --- Operations that update a window ------------------------------------------- */

/* Before the iteration the window holds one known number in every element, and the
   origin sends another.  After it the window must hold their sum or, after a swap, what
   was sent.  The origin must have received what the window held.  What is compared before a
   swap is what the window holds or, in the second turn, another number: it stays as it was. */

/* Numbers as two ranks contribute them to a sum: of the origin, of the window
   before the iteration, and both together. */
enum contents { SENT, HELD, BOTH };

static enum contents compared(const struct bench_run *r)
{
    return r->turn == 2 ? BOTH : HELD;
}

static void numbers(const struct verify *v, void *to, size_t first, size_t n, int what)
{
    reduction_contents(REDUCTION_SUM, v->element, to, first, n, what == BOTH ? 2 : 0, what, 2);
}

/* A block to receive, and the guard after it, full of poison. */
static void poison(const struct verify *v, void *block)
{
    v->recv_kind->set(block, verify_poison(v), v->run->bytes + BUFFER_GUARD);
}

static void update_fill(const struct verify *v)
{
    const struct bench_run *r = v->run;
    const struct flow_rma *flow = flow_rma_of(v->flow);
    void *window = rma_of(r)->base;

    if (v->flow->receives(r) > 0)
        poison(v, r->recv);
    if (flow->updated(r) > 0) {
        poison(v, window);
        verify_fill_numbers(v, v->recv_kind, window, numbers, HELD);
    }
    if (v->flow->sends(r) > 0)
        verify_fill_numbers(v, v->send_kind, r->send, numbers, SENT);
    if (v->flow->sends(r) > 0 && flow->swap)
        verify_fill_numbers(v, v->send_kind, (char *)r->send + r->send_stride, numbers,
                            compared(r));
}

/* Blocks in the order of the mismatch: what was received, then the window. */
static void update_check(const struct verify *v, struct mismatch *first)
{
    const struct bench_run *r = v->run;
    const struct flow_rma *flow = flow_rma_of(v->flow);
    const int received = v->flow->receives(r);

    if (received > 0)
        verify_check_numbers(v, r->recv, true, 0, numbers, HELD, first);
    if (flow->updated(r) > 0)
        verify_check_numbers(v, rma_of(r)->base, true, received, numbers,
                             !flow->swap    ? BOTH
                             : r->turn == 2 ? HELD
                                            : SENT,
                             first);
    if (v->flow->sends(r) > 0)
        verify_check_numbers(v, r->send, false, 0, numbers, SENT, first);
    if (v->flow->sends(r) > 0 && flow->swap)
        verify_check_numbers(v, (char *)r->send + r->send_stride, false, 1, numbers, compared(r),
                             first);
}

/* --- Patterns ------------------------------------------------------------------ */

static int window_of_origin(const struct bench_run *r)
{
    return r->sender || rma_takes_turns(r) ? r->window : 0;
}

static int window_of_target(const struct bench_run *r)
{
    return !r->sender || rma_takes_turns(r) ? r->window : 0;
}

static int two_of_origin(const struct bench_run *r)
{
    return 2 * window_of_origin(r);
}

static int equal_and_unequal(const struct bench_run *r)
{
    return 2;
}

/* A hot spot, and the others of the ranks that take part. */
static int one_of_hot_spot(const struct bench_run *r)
{
    return r->rank == 0;
}

/* To be verified, one after the other puts, since all put into one place. */
static int one_of_origin(const struct bench_run *r)
{
    return hotspot_one_of_others(r) && (r->turn == 0 || r->turn == r->rank);
}

static int others(const struct bench_run *r)
{
    return r->nranks - 1;
}

static int origin_of_turn(const struct bench_run *r, int i)
{
    return r->turn;
}

/* One put of one rank: all others would lie in the same place. */
static void let_one_put(struct bench_run *r)
{
    const bool moves = r->turn == 0 || one_of_origin(r) || r->rank == 0;

    r->window = 1;
    r->count = moves ? rma_of(r)->count : 0;
}

static int window_of_other(const struct bench_run *r)
{
    return hotspot_one_of_others(r) ? r->window : 0;
}

#define ONE_SIDED .one_sided = true, .make_visible = rma_make_visible

static const struct flow_rma plain = { 0 };

/* A window of blocks from one rank of a pair to the other. */
#define OF_WINDOWS                                                                                 \
    .sides = SIDES_BY_SENDER, .to = flow_peer, .from = flow_peer, .slot = flow_in_window,          \
    .window = true, ONE_SIDED, .of_family = &plain

const struct flow flow_put = {
    OF_WINDOWS,
    .sends = window_of_origin,
    .receives = window_of_target,
    .elsewhere = FLOW_RECEIVES,
};
const struct flow flow_get = {
    OF_WINDOWS,
    .sends = window_of_target,
    .receives = window_of_origin,
    .elsewhere = FLOW_SENDS,
};
const struct flow flow_put_both_ways = {
    FLOW_BOTH_WAYS,
    ONE_SIDED,
    .elsewhere = FLOW_RECEIVES,
    .of_family = &(const struct flow_rma){ .both_ways = true },
};
const struct flow flow_get_both_ways = {
    FLOW_BOTH_WAYS,
    ONE_SIDED,
    .elsewhere = FLOW_SENDS,
    .of_family = &(const struct flow_rma){ .both_ways = true },
};
const struct flow flow_put_watched = {
    FLOW_BOTH_WAYS,
    ONE_SIDED,
    .elsewhere = FLOW_RECEIVES,
    .of_family = &(const struct flow_rma){ .both_ways = true, .watched = 1 << 0 },
};
#define UPDATES                                                                                    \
    .sides = SIDES_BY_SENDER, .to = flow_peer, .from = flow_peer, .window = true, ONE_SIDED,       \
    .sum = true, .fill = update_fill, .check = update_check

const struct flow flow_accumulate = {
    UPDATES,
    .sends = window_of_origin,
    .receives = flow_no_block,
    .of_family = &(const struct flow_rma){ .updated = window_of_target },
};
const struct flow flow_get_accumulate = {
    UPDATES,
    .sends = window_of_origin,
    .receives = window_of_origin,
    .of_family =
        &(const struct flow_rma){
            .updated = window_of_target,
            .exclusive = 1 << RMA_LOCK | 1 << RMA_FLUSH | 1 << RMA_FLUSH_LOCAL,
        },
};
const struct flow flow_fetch_and_add = {
    UPDATES,
    .sends = window_of_origin,
    .receives = window_of_origin,
    .of_family =
        &(const struct flow_rma){
            .updated = window_of_target,
            .exclusive = 1 << RMA_LOCK,
        },
};
const struct flow flow_compare_and_swap = {
    UPDATES,
    .turns = equal_and_unequal,
    .sends = two_of_origin,
    .receives = window_of_origin,
    .of_family =
        &(const struct flow_rma){
            .updated = window_of_target,
            .swap = true,
            .exclusive = 1 << RMA_LOCK,
        },
};

const struct flow flow_hot_get = {
    .sides = SIDES_BY_SENDER,
    .sends = one_of_hot_spot,
    .to = flow_anyone,
    .receives = window_of_other,
    .from = flow_rank_0,
    .window = true,
    ONE_SIDED,
    .elsewhere = FLOW_SENDS,
    .of_family = &(const struct flow_rma){ .one_block = true },
};
const struct flow flow_hot_put = {
    .sides = SIDES_BY_SENDER,
    .sends = one_of_origin,
    .to = flow_rank_0,
    .receives = one_of_hot_spot,
    .from = origin_of_turn,
    .window = true,
    .turns = others,
    .begin_turn = let_one_put,
    ONE_SIDED,
    .elsewhere = FLOW_RECEIVES,
    .of_family = &(const struct flow_rma){ .one_block = true },
};
