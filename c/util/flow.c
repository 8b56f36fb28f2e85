/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow.h"

#include "pattern.h"
#include "rma.h"
#include "run.h"
#include "topology.h"

static int none(const struct bench_run *r)
{
    (void)r;
    return 0;
}

static int one(const struct bench_run *r)
{
    (void)r;
    return 1;
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

static int window_of_origin(const struct bench_run *r)
{
    return r->sender || rma_takes_turns(r) ? r->window : 0;
}

static int window_of_target(const struct bench_run *r)
{
    return !r->sender || rma_takes_turns(r) ? r->window : 0;
}

static int one_per_rank(const struct bench_run *r)
{
    return r->nranks;
}

static int one_of_root(const struct bench_run *r)
{
    return r->rank == r->root;
}

static int destinations(const struct bench_run *r)
{
    return r->topology->ndestinations;
}

static int sources(const struct bench_run *r)
{
    return r->topology->nsources;
}

static int peer(const struct bench_run *r, int i)
{
    (void)i;
    return r->peer;
}

static int anyone(const struct bench_run *r, int i)
{
    (void)r;
    (void)i;
    return PATTERN_ANYONE;
}

static int root(const struct bench_run *r, int i)
{
    (void)i;
    return r->root;
}

static int rank_of_block(const struct bench_run *r, int i)
{
    (void)r;
    return i;
}

static int source_of_block(const struct bench_run *r, int i)
{
    return r->topology->source[i];
}

static int destination_of_block(const struct bench_run *r, int i)
{
    return r->topology->destination[i];
}

static int own_block(const struct bench_run *r, int i)
{
    (void)i;
    return r->rank;
}

const struct flow flow_none = {
    .sends = none,
    .to = peer,
    .receives = none,
    .from = peer,
};
const struct flow flow_ping_pong = {
    .sends = one_of_pair,
    .to = peer,
    .receives = one_of_pair,
    .from = peer,
};
const struct flow flow_stream = {
    .sends = window_of_sender,
    .to = peer,
    .receives = window_of_receiver,
    .from = peer,
    .window = true,
};
const struct flow flow_both_ways = {
    .sends = window_of_pair,
    .to = peer,
    .receives = window_of_pair,
    .from = peer,
    .window = true,
};
const struct flow flow_put = {
    .sends = window_of_origin,
    .to = peer,
    .receives = window_of_target,
    .from = peer,
    .window = true,
    .rma = FLOW_INTO_WINDOW,
};
const struct flow flow_get = {
    .sends = window_of_target,
    .to = peer,
    .receives = window_of_origin,
    .from = peer,
    .window = true,
    .rma = FLOW_OUT_OF_WINDOW,
};
const struct flow flow_reduce_all = {
    .sends = one,
    .to = anyone,
    .to_all = true,
    .receives = one,
    .from = rank_of_block,
    .place = rank_of_block,
    .sum = true,
};
const struct flow flow_broadcast = {
    .sends = one_of_root,
    .to = anyone,
    .to_all = true,
    .receives = one,
    .from = root,
    .place = rank_of_block,
    .always_in_place = true,
};
const struct flow flow_gather_all = {
    .sends = one,
    .to = anyone,
    .to_all = true,
    .receives = one_per_rank,
    .from = rank_of_block,
    .place = own_block,
};
const struct flow flow_gather_all_v = {
    .sends = one,
    .to = anyone,
    .to_all = true,
    .receives = one_per_rank,
    .from = rank_of_block,
    .place = own_block,
    .packed = true,
};
const struct flow flow_exchange_all = {
    .sends = one_per_rank,
    .to = rank_of_block,
    .receives = one_per_rank,
    .from = rank_of_block,
    .place = rank_of_block,
};
const struct flow flow_neighbors = {
    .sends = destinations,
    .to = destination_of_block,
    .receives = sources,
    .from = source_of_block,
};
