/* SPDX-License-Identifier: BSD-3-Clause */
/* What programs of pairs and of groups move: flow.h. */
#include "flow.h"

#include "groups/groups.h"
#include "contents.h"
#include "reuse/reuse.h"
#include "rma/rma.h"
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

static int window_of_origin(const struct bench_run *r)
{
    return r->sender || rma_takes_turns(r) ? r->window : 0;
}

static int window_of_target(const struct bench_run *r)
{
    return !r->sender || rma_takes_turns(r) ? r->window : 0;
}

static int reused_by_sender(const struct bench_run *r)
{
    return r->sender ? reuse_sends(r) : 0;
}

static int reused_by_receiver(const struct bench_run *r)
{
    return r->sender ? 0 : reuse_receives(r);
}

static int two_of_origin(const struct bench_run *r)
{
    return 2 * window_of_origin(r);
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
    return CONTENTS_ANYONE;
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
const struct flow flow_reuse_ping_pong = {
    .sides = SIDES_BY_SENDER,
    .sends = reuse_sends,
    .to = peer,
    .receives = reuse_receives,
    .from = peer,
    .window = true,
};
const struct flow flow_reuse_stream = {
    .sides = SIDES_BY_SENDER,
    .sends = reused_by_sender,
    .to = peer,
    .receives = reused_by_receiver,
    .from = peer,
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
const struct flow flow_fan_in = {
    .sides = SIDES_BY_SENDER,
    .sends = window_of_others,
    .to = parent,
    .receives = windows_of_parent,
    .from = other_of_slot,
    .slot = slot,
    .window = true,
};
const struct flow flow_fan_out = {
    .sides = SIDES_BY_SENDER,
    .sends = window_of_parent,
    .to = anyone,
    .to_all = true,
    .receives = window_of_others,
    .from = parent,
    .slot = slot,
    .window = true,
};
const struct flow flow_put = {
    .sides = SIDES_BY_SENDER,
    .sends = window_of_origin,
    .to = peer,
    .receives = window_of_target,
    .from = peer,
    .slot = slot,
    .window = true,
    .rma = FLOW_INTO_WINDOW,
};
const struct flow flow_put_both_ways = {
    .sides = SIDES_BY_SENDER,
    .sends = window_of_pair,
    .to = peer,
    .receives = window_of_pair,
    .from = peer,
    .slot = slot,
    .window = true,
    .rma = FLOW_INTO_WINDOW,
};
const struct flow flow_get = {
    .sides = SIDES_BY_SENDER,
    .sends = window_of_target,
    .to = peer,
    .receives = window_of_origin,
    .from = peer,
    .slot = slot,
    .window = true,
    .rma = FLOW_OUT_OF_WINDOW,
};
const struct flow flow_accumulate = {
    .sides = SIDES_BY_SENDER,
    .sends = window_of_origin,
    .to = peer,
    .receives = none,
    .from = peer,
    .updated = window_of_target,
    .window = true,
    .sum = true,
    .rma = FLOW_UPDATES_WINDOW,
};
const struct flow flow_fetch_and_add = {
    .sides = SIDES_BY_SENDER,
    .sends = window_of_origin,
    .to = peer,
    .receives = window_of_origin,
    .from = peer,
    .updated = window_of_target,
    .window = true,
    .sum = true,
    .rma = FLOW_UPDATES_WINDOW,
};
const struct flow flow_compare_and_swap = {
    .sides = SIDES_BY_SENDER,
    .sends = two_of_origin,
    .to = peer,
    .receives = window_of_origin,
    .from = peer,
    .updated = window_of_target,
    .window = true,
    .sum = true,
    .swap = true,
    .rma = FLOW_UPDATES_WINDOW,
};
