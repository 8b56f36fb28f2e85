/* SPDX-License-Identifier: BSD-3-Clause */
/* What programs of hot spots, and of all pairs, move: flow.h. */
#include "data/flow.h"
#include "data/contents.h"
#include "loop.h"

/* A hot spot and the others of the ranks that take part. */
static int one_for_each_other(const struct bench_run *r)
{
    return r->rank == 0 ? r->nranks - 1 : 0;
}

static int one_of_others(const struct bench_run *r)
{
    return r->rank > 0 && r->rank < r->nranks;
}

static int anyone(const struct bench_run *r, int i)
{
    (void)r;
    (void)i;
    return CONTENTS_ANYONE;
}

static int one_of_hot_spot(const struct bench_run *r)
{
    return r->rank == 0;
}

static int window_of_other(const struct bench_run *r)
{
    return one_of_others(r) ? r->window : 0;
}

static int hot_spot(const struct bench_run *r, int i)
{
    (void)r;
    (void)i;
    return 0;
}

static int other_of_block(const struct bench_run *r, int i)
{
    (void)r;
    return 1 + i;
}

static int one(const struct bench_run *r)
{
    (void)r;
    return 1;
}

static int one_of_each_other(const struct bench_run *r)
{
    return r->nranks - 1;
}

static int in_order_without_own(const struct bench_run *r, int i)
{
    return i < r->rank ? i : i + 1;
}

const struct flow flow_every_pair = {
    .sends = one,
    .to = anyone,
    .to_all = true,
    .receives = one_of_each_other,
    .from = in_order_without_own,
};
const struct flow flow_hot_send = {
    .sides = SIDES_TURNED,
    .sends = one_for_each_other,
    .to = other_of_block,
    .receives = one_of_others,
    .from = hot_spot,
    .window = true,
};
const struct flow flow_hot_recv = {
    .sides = SIDES_BY_SENDER,
    .sends = one_of_others,
    .to = hot_spot,
    .receives = one_for_each_other,
    .from = other_of_block,
    .window = true,
};
const struct flow flow_hot_get = {
    .sides = SIDES_BY_SENDER,
    .sends = one_of_hot_spot,
    .to = anyone,
    .to_all = true,
    .receives = window_of_other,
    .from = hot_spot,
    .window = true,
    .rma = FLOW_OUT_OF_WINDOW,
    .one_block = true,
};
const struct flow flow_hot_put = {
    .sides = SIDES_BY_SENDER,
    .sends = one_of_others,
    .to = hot_spot,
    .receives = one_of_hot_spot,
    .from = anyone,
    .window = true,
    .rma = FLOW_INTO_WINDOW,
    .one_block = true,
    .alike = true,
};
