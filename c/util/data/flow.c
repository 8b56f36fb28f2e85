/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow.h"

/* Blocks that this rank sends or receives if that one is the root, in any turn. */
static int as_if(const struct flow *flow, const struct bench_run *r, int root,
                 bool sending)
{
    struct bench_run other = *r;

    other.root = root;
    other.turn = 0;
    if (!sending)
        return flow->receives(&other);
    return flow_is_in_place(flow, &other) ? 0 : flow->sends(&other);
}

bool flow_is_dealt(const struct flow *flow, size_t count, int ranks)
{
    return flow->dealt == FLOW_WHOLE || count >= (size_t)ranks;
}

bool flow_is_in_place(const struct flow *flow, const struct bench_run *r)
{
    return flow->always_in_place || (r->in_place && flow->place != NULL &&
                                     (!flow->rooted || r->rank == r->root));
}

size_t flow_room(const struct flow *flow, const struct bench_run *r,
                 bool sending)
{
    const int own =
        as_if(flow, r, r->root_rotates ? r->rank : r->root, sending);
    const int other = r->root_rotates
                          ? as_if(flow, r, (r->rank + 1) % r->nranks, sending)
                          : 0;

    return (size_t)(own > other ? own : other);
}

int flow_summed_ranks(const struct flow *flow, const struct bench_run *r)
{
    const int n = flow->summed != NULL ? flow->summed(r) : r->nranks;

    return n == 0 && flow_is_in_place(flow, r) ? 1 : n;
}

void flow_point(const struct flow *flow, struct bench_run *r, void *send,
                void *recv)
{
    r->send = flow_is_in_place(flow, r) ? MPI_IN_PLACE : send;
    r->recv =
        r->in_place && flow->rooted && flow->place == NULL && r->rank == r->root
            ? MPI_IN_PLACE
            : recv;
}

int flow_no_block(const struct bench_run *r)
{
    (void)r;
    return 0;
}

int flow_one_block(const struct bench_run *r)
{
    (void)r;
    return 1;
}

int flow_window_of_pair(const struct bench_run *r)
{
    return r->peer != MPI_PROC_NULL ? r->window : 0;
}

int flow_peer(const struct bench_run *r, int i)
{
    (void)i;
    return r->peer;
}

int flow_anyone(const struct bench_run *r, int i)
{
    (void)r;
    (void)i;
    return CONTENTS_ANYONE;
}

int flow_rank_0(const struct bench_run *r, int i)
{
    (void)r;
    (void)i;
    return 0;
}

int flow_in_window(const struct bench_run *r, int i)
{
    return i % r->window;
}

/* --- Flows of pairs --------------------------------------------------------------- */

static int one_of_pair(const struct bench_run *r)
{
    return r->peer != MPI_PROC_NULL;
}

int flow_window_of_sender(const struct bench_run *r)
{
    return r->peer != MPI_PROC_NULL && r->sender ? r->window : 0;
}

int flow_window_of_receiver(const struct bench_run *r)
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
static int itself(const struct bench_run *r, int i)
{
    (void)i;
    return r->rank;
}

const struct flow flow_self = {
    .sends = flow_one_block,
    .to = itself,
    .receives = flow_one_block,
    .from = itself,
};
const struct flow flow_stream = { FLOW_STREAM };
const struct flow flow_both_ways = { FLOW_BOTH_WAYS };
