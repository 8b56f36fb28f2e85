/* SPDX-License-Identifier: BSD-3-Clause */
#include "flows.h"

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
