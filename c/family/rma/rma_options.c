/* SPDX-License-Identifier: BSD-3-Clause */
#include "rma_options.h"

#include "bench.h"
#include "flow_rma.h"
#include "gpu/gpu.h"

const struct rma_settings rma_defaults = {
    .sync = -1,
    .window_kind = WINDOW_ALLOCATE,
};

const struct choice rma_sync_words[] = {
    { "lock", RMA_LOCK },
    { "flush", RMA_FLUSH },
    { "flush_local", RMA_FLUSH_LOCAL },
    { "lock_all", RMA_LOCK_ALL },
    { "pscw", RMA_PSCW },
    { "fence", RMA_FENCE },
    { NULL, 0 },
};
static const struct choice active_words[] = {
    { "pscw", RMA_PSCW },
    { "fence", RMA_FENCE },
    { NULL, 0 },
};
static const struct choice passive_words[] = {
    { "lock", RMA_LOCK },
    { "flush", RMA_FLUSH },
    { "flush_local", RMA_FLUSH_LOCAL },
    { "lock_all", RMA_LOCK_ALL },
    { NULL, 0 },
};
const struct choice rma_window_words[] = {
    { "create", WINDOW_CREATE },
    { "allocate", WINDOW_ALLOCATE },
    { "dynamic", WINDOW_DYNAMIC },
    { "allocate_shared", WINDOW_ALLOCATE_SHARED },
    { NULL, 0 },
};

#define SYNC                                                                   \
    's', "sync-option", "HOW",                                                 \
        .group = OPTIONS_RMA, .programs = "one-sided programs",                \
        .kind = OPTION_CHOICE, .offset = offsetof(struct rma_settings, sync)

const struct option_row rma_options[] = {
    { SYNC, .takers = TAKES_RMA, .help = "synchronisation", .fallback = "flush",
      .choices = rma_sync_words },
    { SYNC, .takers = TAKES_ACTIVE,
      .help = "synchronisation; both ranks are targets, so both take part in "
              "it",
      .fallback = "pscw", .choices = active_words },
    { SYNC, .takers = TAKES_PASSIVE,
      .help = "synchronisation; the hot spot takes no part in it",
      .fallback = "flush", .choices = passive_words },
    { 'w', "win-options", "KIND", .group = OPTIONS_RMA,
      .help = "window creation; allocate_shared: on one node only",
      .fallback = "allocate", .kind = OPTION_CHOICE,
      .offset = offsetof(struct rma_settings, window_kind),
      .choices = rma_window_words, .json = "window_kind" },
    { 0 },
};

enum rma_sync rma_sync_of(const struct bench *b, const struct settings *s)
{
    const int asked = rma_settings(s)->sync;

    if (asked >= 0)
        return (enum rma_sync)asked;
    return b->takes & TAKES_ACTIVE ? RMA_PSCW : RMA_FLUSH;
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
           (s->place[side] >= PLACE_DEVICE && gpu_runtime() != NULL);
}

const char *rma_conflict(const struct bench *b, const struct settings *s)
{
    const bool first_is_target =
        flow_rma_of(b->flow)->both_ways || rma_turns(b, s);

    if (rma_allocates((enum window_kind)rma_settings(s)->window_kind) &&
        (is_own(s, 1) || (first_is_target && is_own(s, 0))))
        return "windows in memory other than H go with -w create or dynamic: "
               "MPI allocates those of other kinds";
    return NULL;
}
