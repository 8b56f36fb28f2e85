/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow.h"

#include <limits.h>
#include <stdlib.h>

#include "contents.h"

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

bool layout_begin(struct bench_run *r)
{
    const size_t n = (size_t)r->blocks;

    /* One block of memory, the widest entries first. */
    r->places =
        calloc(n, sizeof *r->places + sizeof *r->types + 3 * sizeof *r->counts);
    if (r->places == NULL)
        return false;
    r->types = (MPI_Datatype *)(r->places + n);
    r->counts = (int *)(r->types + n);
    r->displs = r->counts + n;
    r->byte_displs = r->displs + n;
    return true;
}

void layout_end(struct bench_run *r)
{
    free(r->places);
    r->places = NULL;
}

bool layout_fits(int blocks, size_t units)
{
    return blocks < 2 || units <= (size_t)INT_MAX / (size_t)(blocks - 1);
}

void layout_split(struct bench_run *r, int count, bool rest)
{
    const int each = count / r->blocks;
    const int left = rest ? count % r->blocks : 0;
    int place = 0;

    for (int i = 0; i < r->blocks; i++) {
        r->counts[i] = each + (i < left);
        r->displs[i] = place;
        place += r->counts[i];
    }
}

void layout_fill(struct bench_run *r, size_t count, MPI_Datatype type,
                 size_t bytes)
{
    const bool fit = count <= INT_MAX && layout_fits(r->blocks, count);
    const bool bytes_fit = layout_fits(r->blocks, bytes);

    for (int i = 0; i < r->blocks; i++) {
        r->counts[i] = count <= INT_MAX ? (int)count : 0;
        r->displs[i] = fit ? (int)count * i : 0;
        r->byte_displs[i] = bytes_fit ? (int)bytes * i : 0;
        r->places[i] = (MPI_Aint)(bytes * (size_t)i);
        r->types[i] = type;
    }
}
