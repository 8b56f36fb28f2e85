/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flow.h - what a benchmark sends where: one description from which follow
 *          the size of the buffers, their contents for verification, and what
 *          must have arrived.
 *
 * Buffers consist of blocks of one message each.  Blocks of a window are
 * slots, each with memory of its own, at least a cache line apart; all other
 * blocks lie side by side, as collectives need them.
 */
#ifndef FLOW_H
#define FLOW_H

#include <stdbool.h>
#include <stddef.h>

struct bench_run;

struct flow {
    /* Blocks this rank sends, and the rank that gets block i
       (CONTENTS_ANYONE: every rank gets the same). */
    int (*sends)(const struct bench_run *r);
    int (*to)(const struct bench_run *r, int i);
    /* Blocks this rank receives, and the rank that sent block i. */
    int (*receives)(const struct bench_run *r);
    int (*from)(const struct bench_run *r, int i);
    /* Where block i of the send buffer stands in the receive buffer if the
       operation works in place; NULL: the send argument cannot be in place. */
    int (*place)(const struct bench_run *r, int i);
    /* Slot number that marks block i; NULL: none does. */
    int (*slot)(const struct bench_run *r, int i);
    bool rooted; /* only the root can work in place, with its receive argument
                    where place is NULL */
    bool to_all; /* every rank gets the same */
    bool always_in_place; /* one buffer serves for both */
    bool window;          /* blocks are slots */
    bool packed;       /* blocks are found by int displacements, in elements */
    bool packed_bytes; /* the same, in bytes */
    bool int_counts;   /* counts are ints, blocks lie at places of any size */
    bool sum;          /* what is received is the sum over all ranks, or */
    int (*summed)(const struct bench_run *r); /* over so many, from 0 on */
    /* The vector is dealt out, and each rank receives its part of it: of equal
       length, or the first ranks one element more. */
    enum { FLOW_WHOLE, FLOW_BLOCKS, FLOW_PARTS } dealt;
    /* What an RMA window holds: nothing, what is received, what is sent; or a
       block that each operation updates by what is sent, so that the peer
       receives what it held before (update.h). */
    enum {
        FLOW_BUFFERS,
        FLOW_INTO_WINDOW,
        FLOW_OUT_OF_WINDOW,
        FLOW_UPDATES_WINDOW
    } rma;
    int (*updated)(
        const struct bench_run *r); /* blocks in this rank's window */
    /* Are there two sides, whose memory may differ: those who send first, or the
       origins, and the others?  They are run.sender's, or the other way round. */
    enum { SIDES_NONE, SIDES_BY_SENDER, SIDES_TURNED } sides;
    bool one_block; /* of the window, that all operations name */
    bool alike;     /* whoever sends it, a block has the same contents */
    bool swap;      /* block 0 takes the place of what equals block 1 */
};

extern const struct flow flow_none, /* no data */
    flow_ping_pong,                 /* one block to the peer and one back */
    flow_stream,           /* a window from the sender to the receiver */
    flow_both_ways,        /* a window in either direction */
    flow_reuse_ping_pong,  /* buffers in some order: reuse.h */
    flow_reuse_stream,     /* the same from the sender to the receiver */
    flow_fan_in,           /* a window from every other group to the first */
    flow_fan_out,          /* a window from the first group to every other */
    flow_every_pair,       /* every rank's block to every other */
    flow_hot_send,         /* a block from rank 0 to every other */
    flow_hot_recv,         /* a block from every other to rank 0 */
    flow_hot_get,          /* rank 0's block, over and over, to every other */
    flow_hot_put,          /* one block of every other to one place at rank 0 */
    flow_put,              /* into the target's RMA window */
    flow_put_both_ways,    /* into each other's */
    flow_get,              /* out of it */
    flow_accumulate,       /* added to what the target's RMA window holds */
    flow_fetch_and_add,    /* and what it held before is received */
    flow_compare_and_swap, /* the same, swapped if equal */
    flow_reduce_all,       /* every rank gets the sum */
    flow_reduce,           /* the root gets it */
    flow_reduce_scatter,   /* every rank gets its part of it */
    flow_reduce_scatter_block,    /* the same, of equal parts */
    flow_scan,                    /* the sum over all ranks up to one's own */
    flow_exscan,                  /* the sum over all ranks before one's own */
    flow_broadcast,               /* the root's block to all */
    flow_gather_all,              /* every rank's block to all */
    flow_gather_all_v,            /* the same, packed */
    flow_gather, flow_gather_v,   /* every rank's block to the root */
    flow_scatter, flow_scatter_v, /* the root's blocks to one rank each */
    flow_exchange_all,            /* a block from every rank to every rank */
    flow_exchange_all_v, flow_exchange_all_w, /* the same, packed */
    flow_neighbors,       /* a block to and from every neighbour */
    flow_neighbors_v,     /* the same, packed */
    flow_neighbors_w,     /* the same, each with its type and place */
    flow_neighbors_all,   /* every rank's block to all its neighbours */
    flow_neighbors_all_v; /* the same, packed */

/* Slot number that marks a block; 0 where none does. */
int flow_slot(const struct flow *flow, const struct bench_run *r, int block);

/* Where a vector is dealt out: has it an element for every rank? */
bool flow_is_dealt(const struct flow *flow, size_t count, int ranks);

/* Is the send buffer of this rank in place, as things are? */
bool flow_is_in_place(const struct flow *flow, const struct bench_run *r);

/* Blocks that this rank's buffers have room for: where the root rotates, as
   many as it needs as the root and as another rank. */
size_t flow_send_room(const struct flow *flow, const struct bench_run *r);
size_t flow_recv_room(const struct flow *flow, const struct bench_run *r);

/* Ranks whose terms this rank receives the sum of; 0: what it receives is
   undefined.  What stands in place of a sum over no ranks stays. */
int flow_summed_ranks(const struct flow *flow, const struct bench_run *r);

/* Let r->send and r->recv lead to this memory or, for the root as it is now,
   be MPI_IN_PLACE. */
void flow_point(const struct flow *flow, struct bench_run *r, void *send,
                void *recv);

#endif
