/* SPDX-License-Identifier: BSD-3-Clause */
/* Options that exclude each other, or that a program cannot follow together. */
#include "command_line.h"
#include "gpu/gpu.h"
#include "rma/rma.h"

/* Has a side asked for memory other than the usual? */
static bool place_is_own(const struct settings *s, int side)
{
    return s->place[side] == PLACE_HUGE;
}

static bool is_on_gpu(const struct settings *s, int side)
{
    return s->place[side] >= PLACE_DEVICE && gpu_runtime() != NULL;
}

/* Is the window of that side's ranks of a kind that MPI does not give out? */
static bool window_is_own(const struct settings *s, int side)
{
    return place_is_own(s, side) || is_on_gpu(s, side);
}

const char *command_conflict(const struct bench *b, const struct settings *s)
{
    if (b->bound && (s->use != BUFFERS_REUSE || s->touch))
        return "--buffers and --touch do not go with an operation that is "
               "bound to its buffers before it runs";
    if (b->bound && s->root == ROOT_ROTATES)
        return "-k rotate does not go with a request: it is bound to its root";
    if (b->ahead && s->touch)
        return "--touch does not go with receives that are posted before what "
               "they receive into was read";
    if ((place_is_own(s, 0) || place_is_own(s, 1)) && !bench_has_sides(b))
        return "HH goes with programs of two sides only";
    if ((place_is_own(s, 0) || place_is_own(s, 1)) && s->nwords < 2)
        return "HH goes with a word for each side: SRC DST";
    if (b->flow != NULL && b->flow->rma != FLOW_BUFFERS &&
        rma_allocates(s->window_kind) &&
        (window_is_own(s, 1) ||
         (window_is_own(s, 0) &&
          (b->flow == &flow_put_both_ways ||
           /* in turns */
           (!(b->takes & TAKES_WINDOW) && rma_is_active(s->sync))))))
        return "windows in memory other than H go with -w create or dynamic: "
               "MPI allocates those of other kinds";
    return settings_conflict(s);
}
