/* SPDX-License-Identifier: BSD-3-Clause */
#include "buffer_pool.h"

#include <limits.h>

#include "memory/gpu.h"

enum {
    LINE = 64,
    SOME_CACHE = 32 * MiB, /* where its size is unknown */
};

/* Whole lines and two more: neighbours share nothing, and no power of two keeps
   hitting the same cache sets. */
static size_t step_of(size_t bytes)
{
    return (bytes + LINE - 1) / LINE * LINE + 2 * LINE;
}

size_t buffer_pool_bytes(const struct settings *s, size_t cache, int ranks)
{
    size_t own;

    if (s->use == BUFFERS_REUSE)
        return 0;
    if (s->pool > 0)
        return s->pool;
    own = 2 * (cache > 0 ? cache : SOME_CACHE) / (size_t)(ranks > 1 ? ranks : 1);
    return own > 2 * this_gpu.facts.cache ? own : 2 * this_gpu.facts.cache;
}

/* Buffers that fit; the last may end where the buffer does.  A side that moves
   nothing sets no limit to others. */
static long buffers_of(const struct buffer_pool_side *side)
{
    if (side->bytes == 0)
        return LONG_MAX;
    if (side->buffer->bytes < side->bytes)
        return 1;
    return (long)((side->buffer->bytes - side->bytes) / side->step) + 1;
}

static void read_received(const struct buffer_pool_side *recv)
{
    if (recv->buffer->kind->gpu) {
        recv->buffer->kind->rewrite(recv->current, recv->bytes);
        return;
    }
    for (size_t i = 0; i < recv->bytes; i += LINE)
        (void)*((const volatile char *)recv->current + i);
}

static void write_to(const struct buffer_pool_side *side)
{
    if (side->bytes > 0)
        side->buffer->kind->rewrite(side->current, side->bytes);
}

/* Managed memory is where it was used last. */
static void bring_back(const struct buffer_pool_side *side)
{
    if (side->bytes > 0 && side->buffer->kind->moves)
        write_to(side);
}

/* Let r->send and r->recv lead to this memory or, for the root as it is now, be MPI_IN_PLACE. */
static void point(const struct flow *flow, struct bench_run *r, void *send, void *recv)
{
    r->send = flow_is_in_place(flow, r) ? MPI_IN_PLACE : send;
    r->recv = r->in_place && flow->rooted && flow->in_place_block == NULL && r->rank == r->root
                  ? MPI_IN_PLACE
                  : recv;
}

static void go_to(struct buffer_pool *pool, struct bench_run *r)
{
    struct buffer_pool_side *send = &pool->send, *recv = &pool->recv;

    if (send->bytes > 0)
        send->current = (char *)send->buffer->base + (size_t)pool->at * send->step;
    if (recv->bytes > 0)
        recv->current = (char *)recv->buffer->base + (size_t)pool->at * recv->step;
    point(pool->flow, r, send->current, recv->current);
}

void buffer_pool_root(struct bench_run *r, int root)
{
    r->root = root;
    point(r->pool->flow, r, r->pool->send.current, r->pool->recv.current);
}

static void between(void *run)
{
    struct bench_run *r = run;
    struct buffer_pool *pool = r->pool;

    if (pool->touch && pool->recv.bytes > 0)
        read_received(&pool->recv);
    /* At the end of a batch no iteration follows. */
    if (r->root_rotates && r->iterations.next + 1 < r->iterations.end)
        buffer_pool_root(r, (r->root + 1) % r->nranks);
    if (pool->use != BUFFERS_REUSE) {
        pool->at = (pool->at + 1) % pool->buffers;
        go_to(pool, r);
    }
    if (pool->touch)
        write_to(r->send == MPI_IN_PLACE ? &pool->recv : &pool->send);
    bring_back(&pool->send);
    if (!pool->ahead)
        bring_back(&pool->recv);
    if (pool->together)
        bench_sync(r);
}

void buffer_pool_row(struct buffer_pool *pool, struct bench_run *r, size_t send_bytes,
                     size_t recv_bytes)
{
    pool->send.bytes = send_bytes;
    pool->recv.bytes = recv_bytes;
    pool->send.current = r->send;
    pool->recv.current = r->recv;
    pool->send.step = step_of(send_bytes);
    pool->recv.step = step_of(recv_bytes);
    pool->buffers = buffers_of(&pool->send);
    if (buffers_of(&pool->recv) < pool->buffers)
        pool->buffers = buffers_of(&pool->recv);
    pool->at = 0;
    r->pool = pool;
    buffer_pool_root(r, r->root);
}

void buffer_pool_begin(struct bench_run *r, MPI_Comm comm)
{
    struct buffer_pool *pool = r->pool;

    /* Once: in the iterations another rank may be writing there. */
    bring_back(&pool->own);
    if (pool->ahead)
        bring_back(&pool->recv);
    r->iterations.owner = r;
    if (pool->use != BUFFERS_REUSE || pool->touch || r->root_rotates || pool->moves)
        r->iterations.between = between;
    if (r->root_rotates)
        r->root = r->nranks - 1; /* before the first iteration comes 0 */
    /* A sender may have one buffer where its receiver has a window. */
    if (pool->use != BUFFERS_REUSE)
        PMPI_Allreduce(MPI_IN_PLACE, &pool->buffers, 1, MPI_LONG, MPI_MIN, comm);
}

void buffer_pool_end(struct bench_run *r)
{
    r->iterations.between = NULL;
    r->pool->at = 0;
    if (r->root_rotates)
        r->root = 0;
    go_to(r->pool, r);
}
