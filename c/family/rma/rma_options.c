/* SPDX-License-Identifier: BSD-3-Clause */
#include "rma_options.h"

#include <stdlib.h>

#include "base/number.h"
#include "bench.h"
#include "flow_rma.h"
#include "machine/placement.h"
#include "memory/gpu.h"
#include "rma.h"

enum { DEFAULT_US = 1000, MOST_US = 10000000 };

const struct rma_settings rma_defaults = {
    .sync = -1,
    .window_kind = -1,
};

#define PASSIVE                                                                \
    { "lock", RMA_LOCK, "MPI_Win_lock and MPI_Win_unlock" },                   \
        { "flush", RMA_FLUSH, "MPI_Win_flush in one long epoch" },             \
        { "flush_local", RMA_FLUSH_LOCAL,                                      \
          "MPI_Win_flush_local: local completion only" },                      \
    {                                                                          \
        "lock_all", RMA_LOCK_ALL, "MPI_Win_lock_all and MPI_Win_unlock_all"    \
    }
#define ACTIVE                                                                 \
    { "pscw", RMA_PSCW, "MPI_Win_post, _start, _complete and _wait" },         \
    {                                                                          \
        "fence", RMA_FENCE, "MPI_Win_fence"                                    \
    }

const struct choice rma_sync_words[] = { PASSIVE, ACTIVE, { 0 } };
static const struct choice active_words[] = { ACTIVE, { 0 } };
static const struct choice passive_words[] = { PASSIVE, { 0 } };
const struct choice rma_window_words[] = {
    { "create", WINDOW_CREATE, "MPI_Win_create" },
    { "allocate", WINDOW_ALLOCATE,
      "MPI_Win_allocate; in GPU memory or huge pages MPI_Win_create" },
    { "dynamic", WINDOW_DYNAMIC, "MPI_Win_create_dynamic, MPI_Win_attach" },
    { "allocate_shared", WINDOW_ALLOCATE_SHARED,
      "MPI_Win_allocate_shared, on one node only" },
    { 0 },
};

static const struct choice target_words[] = {
    { "in-mpi", TARGET_IN_MPI, "waits in MPI" },
    { "asleep:US", TARGET_ASLEEP, "sleeps, and calls MPI every US us" },
    { "computing:US", TARGET_COMPUTING, "computes, and calls MPI every US us" },
    { 0 },
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
    return s->target != TARGET_IN_MPI &&
                   number_is(us, 1, MOST_US, &s->target_us)
               ? NULL
               : "needs whole us from 1 to 10000000 after the colon";
}

#define SYNC                                                                   \
    's', "sync-option", "HOW", .group = OPTIONS_RMA, .common = true,           \
                               .programs = "one-sided programs",               \
                               .kind = OPTION_CHOICE,                          \
                               .offset = offsetof(struct rma_settings, sync)

const struct option_row rma_options[] = {
    { SYNC, .takers = TAKES_RMA, .help = "synchronization", .fallback = "flush",
      .choices = rma_sync_words },
    { SYNC, .takers = TAKES_ACTIVE,
      .help = "synchronization; both ranks are targets and take part in it",
      .fallback = "pscw", .choices = active_words },
    { SYNC, .takers = TAKES_PASSIVE,
      .help = "synchronization; the target takes no part in it",
      .fallback = "flush", .choices = passive_words },
    { 'w', "win-options", "KIND", .group = OPTIONS_RMA, .common = true,
      .help = "how the window is created", .fallback = "allocate",
      .kind = OPTION_CHOICE,
      .offset = offsetof(struct rma_settings, window_kind),
      .choices = rma_window_words },
    { 0, "target", "WHAT", .group = OPTIONS_RMA, .common = true,
      .takers = TAKES_RMA, .programs = "one-sided programs of pairs",
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

bool rma_is_local(const struct bench *b, const struct settings *s)
{
    const bool leaves = (b->flow->elsewhere & FLOW_RECEIVES) != 0 ||
                        b->flow->receives == flow_no_block;

    return leaves && rma_sync_of(b, s) == RMA_FLUSH_LOCAL;
}

bool rma_turns(const struct bench *b, const struct settings *s)
{
    return !(b->takes & TAKES_WINDOW) && rma_is_active(rma_sync_of(b, s));
}

bool rma_allocates(enum window_kind kind)
{
    return kind == WINDOW_ALLOCATE || kind == WINDOW_ALLOCATE_SHARED;
}

/* Is the memory of that buffer of a type that MPI does not allocate? */
static bool is_own(const struct settings *s, int side)
{
    return s->place[side] == PLACE_HUGE ||
           (s->place[side] >= PLACE_PINNED && gpu_runtime() != NULL);
}

/* Is a target's memory such?  What MPI allocates is no window then. */
static bool targets_own(const struct bench *b, const struct settings *s)
{
    const bool first_is_target =
        flow_rma_of(b->flow)->both_ways || rma_turns(b, s);

    return is_own(s, 1) || (first_is_target && is_own(s, 0));
}

enum window_kind rma_window_kind(const struct bench *b,
                                 const struct settings *s)
{
    const int asked = rma_settings(s)->window_kind;

    if (asked >= 0 && asked != WINDOW_ALLOCATE)
        return (enum window_kind)asked;
    if (targets_own(b, s) || (asked < 0 && has_no_defaults(b, s)))
        return WINDOW_CREATE;
    return WINDOW_ALLOCATE;
}

void rma_refuse(const struct context *c, struct refusal *r)
{
    const struct bench *b = c->bench;
    const struct settings *s = c->settings;

    if (rma_allocates(rma_window_kind(b, s)) && targets_own(b, s))
        refusal_because(r, E12_USAGE,
                        "-w allocate_shared is host memory (H), which MPI "
                        "allocates; use -w create or -w dynamic for other "
                        "memory");
    if (rma_settings(s)->target != TARGET_IN_MPI &&
        rma_is_active(rma_sync_of(b, s)))
        refusal_because(r, E12_USAGE,
                        "--target=asleep and computing need a passive target: "
                        "use -s lock, flush, flush_local or lock_all");
    if (rma_window_kind(b, s) == WINDOW_ALLOCATE_SHARED)
        placement_refuse_nodes(c->placement, "-w allocate_shared", r);
}
