/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow_rma.h"

#include "rma.h"
#include "rma_window.h"
#include "update.h"

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

/* A hot spot, and the others of the ranks that take part. */
static int one_of_hot_spot(const struct bench_run *r)
{
    return r->rank == 0;
}

static int one_of_others(const struct bench_run *r)
{
    return r->rank > 0 && r->rank < r->nranks;
}

static int window_of_other(const struct bench_run *r)
{
    return one_of_others(r) ? r->window : 0;
}

#define ONE_SIDED .one_sided = true, .make_visible = rma_make_visible

static const struct flow_rma plain = { 0 };

const struct flow flow_put = {
    .sides = SIDES_BY_SENDER,
    .sends = window_of_origin,
    .to = flow_peer,
    .receives = window_of_target,
    .from = flow_peer,
    .slot = flow_in_window,
    .window = true,
    ONE_SIDED,
    .elsewhere = FLOW_RECEIVES,
    .of_family = &plain,
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
const struct flow flow_get = {
    .sides = SIDES_BY_SENDER,
    .sends = window_of_target,
    .to = flow_peer,
    .receives = window_of_origin,
    .from = flow_peer,
    .slot = flow_in_window,
    .window = true,
    ONE_SIDED,
    .elsewhere = FLOW_SENDS,
    .of_family = &plain,
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
    .sends = one_of_others,
    .to = flow_rank_0,
    .receives = one_of_hot_spot,
    .from = flow_anyone,
    .window = true,
    ONE_SIDED,
    .elsewhere = FLOW_RECEIVES,
    .of_family = &(const struct flow_rma){ .one_block = true },
};
