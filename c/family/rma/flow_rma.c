/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow_rma.h"

#include "base/sizes.h"
#include "data/verify.h"
#include "rma.h"
#include "rma_window.h"

/* --- Operations that update a window ------------------------------------------- */

/* Before the iteration the window holds one known number in every element, and the
   origin sends another.  After it the window must hold their sum or, after a swap, what
   was sent.  The origin must have received what the window held.  What is compared before a
   swap is what the window holds or, in the second turn, another number: it stays as it was. */

/* Numbers as two ranks contribute them to a sum: of the origin, of the window
   before the lap, and both together. */
enum contents { SENT, HELD, BOTH };

static enum contents compared(const struct bench_run *r)
{
    return r->turn == 2 ? BOTH : HELD;
}

static void numbers(const struct verify *v, void *to, size_t first, size_t n,
                    int what)
{
    contents_numbers(v->element, to, first, n, what == BOTH ? 2 : 0, what, 2);
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
        verify_fill_numbers(v, v->send_kind, (char *)r->send + r->send_stride,
                            numbers, compared(r));
}

/* Blocks in the order of the mismatch: what was received, then the window. */
static void update_check(const struct verify *v, struct mismatch *first)
{
    const struct bench_run *r = v->run;
    const struct flow_rma *flow = flow_rma_of(v->flow);
    const int received = v->flow->receives(r);

    if (received > 0)
        verify_check_numbers(v, r->recv, 0, numbers, HELD, first);
    if (flow->updated(r) > 0)
        verify_check_numbers(v, rma_of(r)->base, received, numbers,
                             !flow->swap    ? BOTH
                             : r->turn == 2 ? HELD
                                            : SENT,
                             first);
    if (v->flow->sends(r) > 0)
        verify_check_sent(v, r->send, 0, numbers, SENT, first);
    if (v->flow->sends(r) > 0 && flow->swap)
        verify_check_sent(v, (char *)r->send + r->send_stride, 1, numbers,
                          compared(r), first);
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
    (void)r;
    return 2;
}

/* A hot spot, and the others of the ranks that take part. */
static int one_of_hot_spot(const struct bench_run *r)
{
    return r->rank == 0;
}

static int one_of_others(const struct bench_run *r)
{
    return r->rank > 0 && r->rank < r->nranks;
}

/* To be verified, one after the other puts, since all put into one place. */
static int one_of_origin(const struct bench_run *r)
{
    return one_of_others(r) && (r->turn == 0 || r->turn == r->rank);
}

static int others(const struct bench_run *r)
{
    return r->nranks - 1;
}

static int origin_of_turn(const struct bench_run *r, int i)
{
    (void)i;
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
    return one_of_others(r) ? r->window : 0;
}

#define ONE_SIDED .one_sided = true, .make_visible = rma_make_visible

static const struct flow_rma plain = { 0 };

/* A window of blocks from one rank of a pair to the other. */
#define OF_WINDOWS                                                             \
    .sides = SIDES_BY_SENDER, .to = flow_peer, .from = flow_peer,              \
    .slot = flow_in_window, .window = true, ONE_SIDED, .of_family = &plain

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
    .of_family =
        &(const struct flow_rma){ .both_ways = true, .watched = 1 << 0 },
};
#define UPDATES                                                                \
    .sides = SIDES_BY_SENDER, .to = flow_peer, .from = flow_peer,              \
    .window = true, ONE_SIDED, .sum = true, .fill = update_fill,               \
    .check = update_check

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
