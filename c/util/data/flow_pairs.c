/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow_pairs.h"

#include "contents.h"
#include "loop.h"

static int none(const struct bench_run *r)
{
    (void)r;
    return 0;
}

static int one_of_pair(const struct bench_run *r)
{
    return r->peer != MPI_PROC_NULL;
}

static int window_of_sender(const struct bench_run *r)
{
    return r->peer != MPI_PROC_NULL && r->sender ? r->window : 0;
}

static int window_of_receiver(const struct bench_run *r)
{
    return r->peer != MPI_PROC_NULL && !r->sender ? r->window : 0;
}

static int window_of_pair(const struct bench_run *r)
{
    return r->peer != MPI_PROC_NULL ? r->window : 0;
}

/* Number within its window. */
static int slot(const struct bench_run *r, int i)
{
    return i % r->window;
}

static int peer(const struct bench_run *r, int i)
{
    (void)i;
    return r->peer;
}

const struct flow flow_none = {
    .sends = none,
    .to = peer,
    .receives = none,
    .from = peer,
};
const struct flow flow_ping_pong = {
    .sides = SIDES_BY_SENDER,
    .sends = one_of_pair,
    .to = peer,
    .receives = one_of_pair,
    .from = peer,
};
const struct flow flow_stream = {
    .sides = SIDES_BY_SENDER,
    .sends = window_of_sender,
    .to = peer,
    .receives = window_of_receiver,
    .from = peer,
    .slot = slot,
    .window = true,
};
const struct flow flow_both_ways = {
    .sides = SIDES_BY_SENDER,
    .sends = window_of_pair,
    .to = peer,
    .receives = window_of_pair,
    .from = peer,
    .slot = slot,
    .window = true,
};

/* A hot spot, rank 0, and the others of the ranks that take part. */

static int one_for_each_other(const struct bench_run *r)
{
    return r->rank == 0 ? r->nranks - 1 : 0;
}

static int one_of_others(const struct bench_run *r)
{
    return r->rank > 0 && r->rank < r->nranks;
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
