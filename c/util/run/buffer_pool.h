/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * buffer_pool.h - which memory an iteration uses, and which rank is its root: --buffers,
 *              --touch, and -k rotate.
 *
 *   reuse    every iteration the same buffers, which stay in the cache: the fastest
 *            an operation can be
 *   rotate   every iteration the next place of a pool larger than the cache: what is
 *            sent has to come from memory, and what arrives goes there
 *   touch    before every iteration the rank writes what it will send and reads what
 *            it received, as an application does
 *
 * With -k rotate the root of iteration i of a row, warm-up and all, is i modulo the ranks; but a
 * lead-in has the root of the iteration before, so that all roots count equally often.
 *
 * All of it happens between iterations, untimed, on all ranks; loops that have nothing else
 * between iterations are brought together again after it.
 */
#ifndef BUFFER_POOL_H
#define BUFFER_POOL_H

#include "data/flow.h"
#include "data/memory.h"
#include "loop.h"
#include "options/settings.h"

struct buffer_pool_side {
    struct buffer *buffer; /* the pool */
    void *current;         /* buffer in it, whatever MPI_IN_PLACE stands for */
    size_t bytes;          /* used by an iteration of the row; 0: nothing */
    size_t step;           /* from one to the next */
};

struct buffer_pool {
    enum buffer_use use;
    bool touch;
    bool together; /* bring the ranks together after it */
    bool ahead;    /* what an iteration receives into may be written before it begins */
    const struct flow *flow;
    struct buffer_pool_side send, recv, own; /* of RMA, if it is ours */
    bool moves;       /* memory of a side, on any rank, has to be brought back */
    long buffers, at; /* how many there are, and which is current */
};

enum { BUFFER_POOL_SOME_CACHE = 32 * MiB }; /* where its size is unknown */

/* Bytes of a direction's pool, 0 for reuse, if that many ranks share a last-level
   cache of so many bytes (0: unknown). */
static inline size_t buffer_pool_bytes(const struct settings *s, size_t cache, int ranks)
{
    size_t own;

    if (s->use == BUFFERS_REUSE)
        return 0;
    if (s->pool > 0)
        return s->pool;
    own = 2 * (cache > 0 ? cache : BUFFER_POOL_SOME_CACHE) / (size_t)(ranks > 1 ? ranks : 1);
    return own > 2 * this_gpu.facts.cache ? own : 2 * this_gpu.facts.cache;
}

#endif
