/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flow.h - the communication pattern of a benchmark: one description of what is
 *          sent where. It decides the size of the buffers, their contents for
 *          verification, and what must have arrived.
 *
 * Buffers consist of blocks of one message each.  Blocks of a window are slots,
 * each with memory of its own, at least a cache line apart.  All other blocks
 * are adjacent, as collectives need them.
 */
#ifndef FLOW_H
#define FLOW_H

#include <stdbool.h>
#include <stddef.h>

struct bench_run;
struct mismatch;
struct verify;

/* What a buffer of a rank is used for; bits. */
enum { FLOW_SENDS = 1, FLOW_RECEIVES = 2 };

struct flow {
    /* The number of blocks that this rank sends, and the rank that gets block i
       (flow_anyone: every rank gets the same). */
    int (*sends)(const struct bench_run *r);
    int (*to)(const struct bench_run *r, int i);
    /* The number of blocks that this rank receives, and the rank that sends
       block i (flow_anyone: the contents do not depend on the sender). */
    int (*receives)(const struct bench_run *r);
    int (*from)(const struct bench_run *r, int i);
    /* The place of block i of the send buffer in the receive buffer, if the
       operation works in place; NULL: the send argument cannot be in place. */
    int (*place)(const struct bench_run *r, int i);
    /* The slot number that marks block i; NULL: none. */
    int (*slot)(const struct bench_run *r, int i);
    bool rooted; /* only the root can work in place, with its receive argument
                    where place is NULL */
    bool always_in_place; /* one buffer serves for both */
    bool window;          /* blocks are slots */
    bool packed;       /* blocks are found by int displacements, in elements */
    bool packed_bytes; /* the same, in bytes */
    bool int_counts;   /* counts are ints, blocks lie at places of any size */
    bool sum;          /* what is received is the sum over all ranks, or */
    int (*summed)(const struct bench_run *r); /* over so many, from 0 on */
    /* Is the vector divided among the ranks?  Each rank then receives a part of
       equal length (BLOCKS), or the first ranks one element more (PARTS). */
    enum { FLOW_WHOLE, FLOW_BLOCKS, FLOW_PARTS } dealt;
    /* Are there two sides whose memory may differ: senders (or origins) and the
       others?  run.sender tells the side, or its opposite if turned. */
    enum { SIDES_NONE, SIDES_BY_SENDER, SIDES_TURNED } sides;
    unsigned
        elsewhere; /* bits: buffers that the family brings (its hook row) */
    /* Replace what verify.h does for this flow; NULL: do not.  check calls
       verify_note for every error. */
    void (*fill)(const struct verify *v);
    void (*check)(const struct verify *v, struct mismatch *first);
    const void *of_family; /* what else its family needs to know about it */
};

/* Building blocks of flows.  Blocks: none, one, or a window of a rank that has
   a partner; ranks: the partner, CONTENTS_ANYONE, rank 0; slots: the number
   within a window. */
int flow_no_block(const struct bench_run *r);
int flow_one_block(const struct bench_run *r);
int flow_window_of_pair(const struct bench_run *r);
int flow_peer(const struct bench_run *r, int i);
int flow_anyone(const struct bench_run *r, int i);
int flow_rank_0(const struct bench_run *r, int i);
int flow_in_window(const struct bench_run *r, int i);

/* The slot number that marks a block; 0 if none does. */
int flow_slot(const struct flow *flow, const struct bench_run *r, int block);

/* If a vector is divided: does it have an element for every rank? */
bool flow_is_dealt(const struct flow *flow, size_t count, int ranks);

/* Is the send buffer of this rank in place, with the present settings and
   root? */
bool flow_is_in_place(const struct flow *flow, const struct bench_run *r);

/* The number of blocks for which this rank's buffers have room.  If the root
   rotates, it is enough for the rank as the root and as another rank. */
size_t flow_send_room(const struct flow *flow, const struct bench_run *r);
size_t flow_recv_room(const struct flow *flow, const struct bench_run *r);

/* The number of ranks over which this rank receives the sum; 0: what it
   receives is undefined, and a buffer that works in place keeps its
   contents. */
int flow_summed_ranks(const struct flow *flow, const struct bench_run *r);

/* Set r->send and r->recv to this memory or, as the present root requires, to
   MPI_IN_PLACE. */
void flow_point(const struct flow *flow, struct bench_run *r, void *send,
                void *recv);

#endif
