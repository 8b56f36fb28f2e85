/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow.h"

#include <limits.h>
#include <stdlib.h>

#include "base/buffer_size.h"
#include "contents.h"
#include "portion.h"

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

int flow_slot(const struct flow *flow, const struct bench_run *r, int block)
{
    return flow->slot != NULL ? flow->slot(r, block) : 0;
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

/* --- Where blocks lie ------------------------------------------------------------ */

enum { WIDEST_ELEMENT = 16 };

/* Give a layout n ints for each of its three arrays; returns what follows. */
static int *divide(struct layout *l, int *ints, size_t n)
{
    l->counts = ints;
    l->displs = l->counts + n;
    l->byte_displs = l->displs + n;
    return l->byte_displs + n;
}

bool layout_begin(struct bench_run *r)
{
    const size_t n = (size_t)r->blocks;

    /* One block of memory, the widest entries first. */
    r->out.places = calloc(n, 2 * sizeof *r->out.places + sizeof *r->types +
                                  6 * sizeof(int));
    if (r->out.places == NULL)
        return false;
    r->in.places = r->out.places + n;
    r->types = (MPI_Datatype *)(r->in.places + n);
    divide(&r->in, divide(&r->out, (int *)(r->types + n), n), n);
    return true;
}

void layout_end(struct bench_run *r)
{
    free(r->out.places);
    r->out.places = NULL;
}

bool layout_fits(const struct bench_run *r, size_t units)
{
    const bool equal = r->out.portions == NULL && r->in.portions == NULL;

    if (equal)
        return r->blocks < 2 ||
               units <= (size_t)INT_MAX / (size_t)(r->blocks - 1);
    /* Each block may be rounded up by an element. */
    return (double)units * r->fullest + (double)WIDEST_ELEMENT * r->blocks <=
           INT_MAX;
}

size_t layout_size(const struct layout *l, size_t bytes, size_t blocks,
                   bool window)
{
    size_t sum = BUFFER_GUARD;

    if (l->portions == NULL || blocks == 0)
        return buffer_size(bytes, blocks, window);
    /* Rounded to elements a block may be longer than rounded to bytes. */
    for (int i = 0; i < l->n; i++)
        sum = size_sum(sum,
                       portion_of(&l->portions[i], bytes) + 2 * WIDEST_ELEMENT);
    return sum;
}

size_t layout_at(const struct bench_run *r, const struct layout *l, int i)
{
    return l->portions != NULL ? (size_t)l->places[i] : r->bytes * (size_t)i;
}

size_t layout_bytes(const struct bench_run *r, const struct layout *l, int i)
{
    return l->portions != NULL && r->count > 0
               ? (size_t)l->counts[i] * (r->bytes / (size_t)r->count)
               : r->bytes;
}

void layout_split(struct bench_run *r, int count, bool rest)
{
    const int each = count / r->blocks;
    const int left = rest ? count % r->blocks : 0;
    int place = 0;

    for (int i = 0; i < r->blocks; i++) {
        r->in.counts[i] = each + (i < left);
        r->in.displs[i] = place;
        place += r->in.counts[i];
    }
}

static void fill_equal(const struct bench_run *r, struct layout *l,
                       size_t count, size_t bytes)
{
    const bool fit = count <= INT_MAX && layout_fits(r, count);
    const bool bytes_fit = layout_fits(r, bytes);

    for (int i = 0; i < r->blocks; i++) {
        l->counts[i] = count <= INT_MAX ? (int)count : 0;
        l->displs[i] = fit ? (int)count * i : 0;
        l->byte_displs[i] = bytes_fit ? (int)bytes * i : 0;
        l->places[i] = (MPI_Aint)(bytes * (size_t)i);
    }
}

static void fill_portions(struct layout *l, size_t count, size_t bytes)
{
    const size_t one = count > 0 ? bytes / count : 0;
    size_t at = 0;

    for (int i = 0; i < l->n; i++) {
        const size_t n = portion_of(&l->portions[i], count);

        l->counts[i] = (int)n;
        l->displs[i] = (int)at;
        l->byte_displs[i] = at * one <= INT_MAX ? (int)(at * one) : 0;
        l->places[i] = (MPI_Aint)(at * one);
        at += n;
    }
}

void layout_fill(struct bench_run *r, size_t count, MPI_Datatype type,
                 size_t bytes)
{
    struct layout *const layouts[] = { &r->out, &r->in };

    for (int i = 0; i < 2; i++)
        if (layouts[i]->portions != NULL)
            fill_portions(layouts[i], count, bytes);
        else
            fill_equal(r, layouts[i], count, bytes);
    for (int i = 0; i < r->blocks; i++)
        r->types[i] = type;
}
