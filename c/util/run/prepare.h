/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * prepare.h - what is there before the first row: partners, memory, requests, and the list of
 *             rows, which --dry-run prints.
 *
 * -b says how many messages of a window have memory of their own, a slot each:
 *
 *   auto      one buffer serves all messages to send.  Each message is received in a slot
 *             of its own, as long as the windows of a rank take 1 GiB at most.
 *   single    one buffer for all, each way, as in OMB
 *   multiple  a slot for each message, each way
 *
 * What finds no room shares the slots in turn.  To be verified a row has only as many messages
 * under way as it has slots.
 */
#ifndef PREPARE_H
#define PREPARE_H

#include "bench.h"
#include "data/datatype.h"
#include "data/memory.h"
#include "measure.h"
#include "report/result.h"
#include "start.h"

/*
 * Which memory an iteration uses, and which rank is its root: --buffers, --touch, and -k rotate.
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

/* --- What is there before the first row --- */

/* What lasts from the first row to the last. */
struct setup {
    struct bench_run run;
    const struct memory_kind *side[2]; /* memory of the two sides */
    struct buffers buffers;            /* this rank's */
    struct start start;
    struct buffer_pool pool;
    int window;                  /* messages in flight; of all rows at most */
    bool sends_one;              /* one slot serves all that are sent */
    size_t window_bytes;         /* of the slots of one window, but one slot at least */
    struct typemap_list blocks;  /* -D indx */
    struct typemap pieces;       /* what moves in the row under way */
    struct message_type message; /* its count and type */
};

/* What the command line and the number of ranks say of this rank; c->world has
   them.  No MPI is called.  c->run is of *p. */
void setup_describe(struct setup *p, const struct context *c);

/* Let p have the operation and the value of the parameter whose buffers are the largest: what
   rows need is asked of p.  Returns the bytes that the slots of one window may take on this
   rank; what p gets is the least of all ranks. */
size_t setup_widest(struct setup *p, const struct context *c, const struct rows *rows);

/* Bytes of the buffers of this rank for a row of the given size: of its node's
   memory, and of its GPU's. */
struct memory_need setup_need(const struct setup *p, const struct context *c, size_t bytes);

/* Add the rows that the command line asks for, in the order of --order, on all ranks alike: of
   each operation, at each value of the parameter, of each type, the sizes of -m as far as
   buffers fit everywhere, of the widest row, which p gets.  The others are named, with the
   reason (W11, W31).  EXIT_OK, or the code to leave with where no row is left, said why.
   Collective, unless p is NULL, for --dry-run: everything fits. */
enum exit_code rows_list(struct rows *rows, struct setup *p, const struct context *c);

/* Buffers for the largest of the rows, what else they need, samples, and how ranks start.
   Collective; EXIT_OK, or the code to leave with, said why, alike on all ranks. */
enum exit_code setup_loop(struct setup *p, const struct context *c, const struct rows *rows,
                          struct measure *m);

/* How many of so many messages of that size that are under way at once have memory of their own;
   blocks of a buffer that such a window needs. */
int slots_of(const struct setup *p, int window, size_t bytes);
size_t slots_blocks(const struct context *c, int window, bool sending);

/* Give everything back, whatever of it there is.  Collective. */
void setup_release(struct setup *p, const struct context *c);

#endif
