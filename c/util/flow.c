/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow.h"

#include "groups.h"
#include "pattern.h"
#include "rma.h"
#include "run.h"

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

static int window_of_origin(const struct bench_run *r)
{
    return r->sender || rma_takes_turns(r) ? r->window : 0;
}

static int window_of_target(const struct bench_run *r)
{
    return !r->sender || rma_takes_turns(r) ? r->window : 0;
}

/* Windows of the first group: one for each of the others. */
static int windows_of_parent(const struct bench_run *r)
{
    return r->groups->mine == 0 ? r->window * (r->groups->count - 1) : 0;
}

static int window_of_parent(const struct bench_run *r)
{
    return r->groups->mine == 0 ? r->window : 0;
}

static int window_of_others(const struct bench_run *r)
{
    return r->groups->mine > 0 ? r->window : 0;
}

static int anyone(const struct bench_run *r, int i)
{
    (void)r;
    (void)i;
    return PATTERN_ANYONE;
}

static int parent(const struct bench_run *r, int i)
{
    (void)i;
    return r->groups->member[0];
}

static int other_of_slot(const struct bench_run *r, int i)
{
    return r->groups->member[1 + i / r->window];
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
    .slot = slot,
    .window = true,
};
const struct flow flow_both_ways = {
    .sends = window_of_pair,
    .to = peer,
    .receives = window_of_pair,
    .from = peer,
    .slot = slot,
    .window = true,
};
const struct flow flow_fan_in = {
    .sends = window_of_others,
    .to = parent,
    .receives = windows_of_parent,
    .from = other_of_slot,
    .slot = slot,
    .window = true,
};
const struct flow flow_fan_out = {
    .sends = window_of_parent,
    .to = anyone,
    .to_all = true,
    .receives = window_of_others,
    .from = parent,
    .slot = slot,
    .window = true,
};
const struct flow flow_put = {
    .sends = window_of_origin,
    .to = peer,
    .receives = window_of_target,
    .from = peer,
    .slot = slot,
    .window = true,
    .rma = FLOW_INTO_WINDOW,
};
const struct flow flow_get = {
    .sends = window_of_target,
    .to = peer,
    .receives = window_of_origin,
    .from = peer,
    .slot = slot,
    .window = true,
    .rma = FLOW_OUT_OF_WINDOW,
};
/* Blocks that this rank sends or receives if that one is the root. */
static int as_if(const struct flow *flow, const struct bench_run *r, int root,
                 bool sending)
{
    struct bench_run other = *r;

    other.root = root;
    if (!sending)
        return flow->receives(&other);
    return flow_is_in_place(flow, &other) ? 0 : flow->sends(&other);
}

static size_t room(const struct flow *flow, const struct bench_run *r,
                   bool sending)
{
    const int own =
        as_if(flow, r, r->root_rotates ? r->rank : r->root, sending);
    const int other = r->root_rotates
                          ? as_if(flow, r, (r->rank + 1) % r->nranks, sending)
                          : 0;

    return (size_t)(own > other ? own : other);
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

size_t flow_send_room(const struct flow *flow, const struct bench_run *r)
{
    return room(flow, r, true);
}

size_t flow_recv_room(const struct flow *flow, const struct bench_run *r)
{
    return room(flow, r, false);
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

int flow_slot(const struct flow *flow, const struct bench_run *r, int block)
{
    return flow->slot != NULL ? flow->slot(r, block) : 0;
}
