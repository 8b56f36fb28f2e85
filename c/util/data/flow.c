/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow.h"

#include <stdlib.h>

#include "base/sizes.h"
#include "job/world.h"

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

/* --- Where the blocks of a buffer lie --------------------------------------------- */

__extension__ typedef unsigned __int128 wide;

/* Length of the block if a message has count elements, or bytes. */
static size_t portion_of(const struct portion *s, size_t count)
{
    const wide whole = (wide)s->blocks * count;

    if (s->of == 0)
        return 0;
    return (size_t)(whole * s->until / s->of - whole * s->before / s->of);
}

enum { WIDEST_ELEMENT = 16 };

/* Entries of each array of a buffer.  Even a rank without blocks may name the first. */
static size_t entries(const struct bench_run *r, const struct flow *flow, bool sending)
{
    if (flow->dealt == FLOW_PARTS)
        return sending ? 0 : (size_t)r->nranks;
    if (flow->blocks == BLOCKS_EQUAL)
        return 0;
    const size_t room = flow_room(flow, r, sending);

    return room > 0 ? room : 1;
}

/* Of each block a type, and a place beyond what an int holds. */
static bool has_types(const struct flow *flow)
{
    return flow->packed_bytes || flow->int_counts;
}

static bool has_displacements(const struct bench_run *r, const struct flow *flow)
{
    return flow->int_counts || r->out.portions != NULL || r->in.portions != NULL;
}

static size_t arrays_need(const struct bench_run *r, const struct flow *flow)
{
    const size_t out = entries(r, flow, true), in = entries(r, flow, false);
    const size_t each =
        2 * sizeof *r->out.counts + (has_displacements(r, flow) ? sizeof *r->out.displacements : 0);
    const size_t type = has_types(flow) ? sizeof *r->types : 0;

    return size_sum(size_product(size_sum(out, in), each), size_product(out > in ? out : in, type));
}

size_t layout_need(const struct bench_run *r, const struct flow *flow)
{
    const int portions =
        (r->out.portions != NULL ? r->out.n : 0) + (r->in.portions != NULL ? r->in.n : 0);

    return size_sum(arrays_need(r, flow), (size_t)portions * sizeof(struct portion));
}

void layout_begin(struct bench_run *r, const struct flow *flow)
{
    const size_t out = entries(r, flow, true), in = entries(r, flow, false);
    /* One block of memory, the widest entries first. */
    char *at = r->layouts = world_room(arrays_need(r, flow), 1, "blocks");

    if (has_displacements(r, flow)) {
        r->out.displacements = (MPI_Aint *)at;
        r->in.displacements = r->out.displacements + out;
        at = (char *)(r->in.displacements + in);
    }
    if (has_types(flow)) {
        r->types = (MPI_Datatype *)at;
        at = (char *)(r->types + (out > in ? out : in));
    }
    r->out.counts = (int *)at;
    r->out.displs = r->out.counts + out;
    r->in.counts = r->out.displs + out;
    r->in.displs = r->in.counts + in;
    if (r->out.portions == NULL)
        r->out.n = (int)out;
    if (r->in.portions == NULL)
        r->in.n = (int)in;
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
        sum = size_sum(sum, portion_of(&l->portions[i], bytes) + 2 * WIDEST_ELEMENT);
    return sum;
}

size_t layout_at(const struct bench_run *r, const struct layout *l, int i)
{
    return l->portions != NULL ? (size_t)l->displacements[i] : r->bytes * (size_t)i;
}

size_t layout_bytes(const struct bench_run *r, const struct layout *l, int i)
{
    return l->portions != NULL && r->count > 0
               ? (size_t)l->counts[i] * (r->bytes / (size_t)r->count)
               : r->bytes;
}

/* Part i of a vector of count elements that is dealt out: to everyone an equal whole number,
   and what is then left, if it is dealt out too (rest), one each to the first. */
static struct layout_part part_of(size_t count, int parts, bool rest, int i)
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
               : part_of(count, r->nranks, flow->dealt == FLOW_PARTS, r->rank);
}

void layout_split(struct layout *l, int count, int parts, bool rest)
{
    for (int i = 0; i < parts; i++) {
        const struct layout_part part = part_of((size_t)count, parts, rest, i);

        l->counts[i] = (int)part.n;
        l->displs[i] = (int)part.first;
    }
}

static void fill_equal(const struct bench_run *r, struct layout *l, size_t count, size_t unit,
                       size_t bytes)
{
    const bool fit = layout_fits(r, unit);

    for (int i = 0; i < l->n; i++) {
        l->counts[i] = count <= INT_MAX ? (int)count : 0;
        l->displs[i] = fit ? (int)unit * i : 0;
        if (l->displacements != NULL)
            l->displacements[i] = (MPI_Aint)(bytes * (size_t)i);
    }
}

static void fill_portions(struct layout *l, size_t count, size_t unit, size_t bytes)
{
    const size_t one = count > 0 ? bytes / count : 0;
    const size_t step = count > 0 ? unit / count : 0;
    size_t at = 0;

    for (int i = 0; i < l->n; i++) {
        const size_t n = portion_of(&l->portions[i], count);

        l->counts[i] = (int)n;
        l->displs[i] = at * step <= INT_MAX ? (int)(at * step) : 0;
        l->displacements[i] = (MPI_Aint)(at * one);
        at += n;
    }
}

void layout_fill(struct bench_run *r, const struct flow *flow)
{
    struct layout *const layouts[] = { &r->out, &r->in };
    const size_t count = (size_t)r->count;
    const size_t unit = flow->packed_bytes ? r->bytes : count;

    if (flow->dealt == FLOW_PARTS) {
        layout_split(&r->in, (int)count, r->nranks, true);
        return;
    }
    for (int i = 0; i < 2; i++)
        if (layouts[i]->portions != NULL)
            fill_portions(layouts[i], count, unit, r->bytes);
        else
            fill_equal(r, layouts[i], count, unit, r->bytes);
    for (int i = 0; r->types != NULL && (i < r->out.n || i < r->in.n); i++)
        r->types[i] = r->type;
}
