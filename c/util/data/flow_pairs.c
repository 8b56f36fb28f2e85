/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow_pairs.h"

#include "loop.h"

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

const struct flow flow_none = {
    .sends = flow_no_block,
    .to = flow_peer,
    .receives = flow_no_block,
    .from = flow_peer,
};
const struct flow flow_ping_pong = {
    .sides = SIDES_BY_SENDER,
    .sends = one_of_pair,
    .to = flow_peer,
    .receives = one_of_pair,
    .from = flow_peer,
};
const struct flow flow_stream = {
    .sides = SIDES_BY_SENDER,
    .sends = window_of_sender,
    .to = flow_peer,
    .receives = window_of_receiver,
    .from = flow_peer,
    .slot = flow_in_window,
    .window = true,
};
const struct flow flow_both_ways = {
    .sides = SIDES_BY_SENDER,
    .sends = flow_window_of_pair,
    .to = flow_peer,
    .receives = flow_window_of_pair,
    .from = flow_peer,
    .slot = flow_in_window,
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
    .from = flow_rank_0,
    .window = true,
};
const struct flow flow_hot_recv = {
    .sides = SIDES_BY_SENDER,
    .sends = one_of_others,
    .to = flow_rank_0,
    .receives = one_for_each_other,
    .from = other_of_block,
    .window = true,
};
