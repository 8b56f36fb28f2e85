/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow.h"

#include "base/sizes.h"

/* Blocks that this rank sends or receives if that one is the root, in any turn. */
static int as_if(const struct flow *flow, const struct bench_run *r, int root, bool sending)
{
    struct bench_run other = *r;

    other.root = root;
    other.turn = 0;
    if (!sending)
        return flow->receives(&other);
    return flow_is_in_place(flow, &other) ? 0 : flow->sends(&other);
}

bool flow_is_in_place(const struct flow *flow, const struct bench_run *r)
{
    return flow->always_in_place ||
           (r->in_place && flow->in_place_block != NULL && (!flow->rooted || r->rank == r->root));
}

size_t flow_room(const struct flow *flow, const struct bench_run *r, bool sending)
{
    const int own = as_if(flow, r, r->root_rotates ? r->rank : r->root, sending);
    const int other = r->root_rotates ? as_if(flow, r, (r->rank + 1) % r->nranks, sending) : 0;

    return (size_t)(own > other ? own : other);
}

int flow_no_block(const struct bench_run *r)
{
    return 0;
}

int flow_one_block(const struct bench_run *r)
{
    return 1;
}

int flow_window_of_pair(const struct bench_run *r)
{
    return r->peer != MPI_PROC_NULL ? r->window : 0;
}

int flow_peer(const struct bench_run *r, int i)
{
    return r->peer;
}

int flow_anyone(const struct bench_run *r, int i)
{
    return CONTENTS_ANYONE;
}

int flow_rank_0(const struct bench_run *r, int i)
{
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

/* --- Where the blocks of a buffer lie --------------------------------------------- */

enum { WIDEST_ELEMENT = 16 };

__extension__ typedef unsigned __int128 wide;

size_t layout_portion(const struct portion *s, size_t count)
{
    const wide whole = (wide)s->blocks * count;

    if (s->of == 0)
        return 0;
    return (size_t)(whole * s->until / s->of - whole * s->before / s->of);
}

bool layout_fits(const struct bench_run *r, size_t units)
{
    const bool equal = r->out.portions == NULL && r->in.portions == NULL;

    if (equal)
        return r->blocks < 2 || units <= (size_t)INT_MAX / (size_t)(r->blocks - 1);
    /* Each block may be rounded up by an element. */
    return (double)units * r->fullest + (double)WIDEST_ELEMENT * r->blocks <= INT_MAX;
}

size_t layout_size(const struct layout *l, size_t bytes, size_t blocks, bool window)
{
    size_t sum = BUFFER_GUARD;

    if (l->portions == NULL || blocks == 0)
        return buffer_size(bytes, blocks, window);
    /* Rounded to elements a block may be longer than rounded to bytes. */
    for (int i = 0; i < l->n; i++)
        sum = size_sum(sum, layout_portion(&l->portions[i], bytes) + 2 * WIDEST_ELEMENT);
    return sum;
}

size_t layout_bytes(const struct bench_run *r, const struct layout *l, int i)
{
    return l->portions != NULL && r->count > 0
               ? (size_t)l->counts[i] * (r->bytes / (size_t)r->count)
               : r->bytes;
}

struct layout_part layout_part(size_t count, int parts, bool rest, int i)
{
    const size_t n = (size_t)parts, at = (size_t)i;
    const size_t each = count / n, left = rest ? count % n : 0;

    return (struct layout_part){ at * each + (at < left ? at : left), each + (at < left) };
}

struct layout_part layout_own_part(const struct bench_run *r, const struct flow *flow)
{
    const size_t count = (size_t)r->count;

    return flow->dealt == FLOW_WHOLE
               ? (struct layout_part){ 0, count }
               : layout_part(count, r->nranks, flow->dealt == FLOW_PARTS, r->rank);
}
