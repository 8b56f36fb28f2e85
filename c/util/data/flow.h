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

#include <limits.h>
#include <stdint.h>

#include "base/element.h"
#include "loop.h"

struct mismatch;
struct verify;

enum { CONTENTS_ANYONE = -1 }; /* "to" of data that all ranks receive */

/* What a rank's buffer is for; bits. */
enum { FLOW_SENDS = 1, FLOW_RECEIVES = 2 };

struct flow;

/* The arrays of r->out and r->in that MPI is given, for as many blocks as this rank has. */
struct flow_arrays {
    /* Bytes of them, and of portions. */
    size_t (*need)(const struct bench_run *r, const struct flow *flow);
    /* Allocate them: r->layouts is to be freed. */
    void (*begin)(struct bench_run *r, const struct flow *flow);
    /* Blocks of r->count elements of r->type, of r->bytes bytes, or by their portions; or the
       parts of a vector of that length.  Counts and displacements that an int cannot hold are 0:
       who uses them asks layout_fits before. */
    void (*fill)(struct bench_run *r, const struct flow *flow);
};

struct flow {
    /* Blocks this rank sends, and the rank that gets block i
       (flow_anyone: every rank gets the same). */
    int (*sends)(const struct bench_run *r);
    int (*to)(const struct bench_run *r, int i);
    /* Blocks this rank receives, and the rank that sent block i (flow_anyone:
       whoever sends it, it has the same contents). */
    int (*receives)(const struct bench_run *r);
    int (*from)(const struct bench_run *r, int i);
    /* Where block i of the send buffer stands in the receive buffer if the
       operation works in place; NULL: the send argument cannot be in place. */
    int (*in_place_block)(const struct bench_run *r, int i);
    /* Slot number that marks block i; NULL: none does. */
    int (*slot)(const struct bench_run *r, int i);
    /* Where block i lies among the slots of its buffer; NULL: at i. */
    int (*at)(const struct bench_run *r, bool receiving, int i);
    /* Messages that this rank has under way at once, each with a request; NULL: one
       for each block of a window, and at least two windows. */
    int (*requests)(const struct bench_run *r);
    bool rooted;          /* only the root can work in place, with its receive argument
                    where in_place_block is NULL */
    bool always_in_place; /* one buffer serves for both */
    bool window;          /* blocks are slots */
    bool one_sided;       /* no requests: blocks are put, fetched or combined */
    bool packed;          /* blocks are found by int displacements, in elements */
    bool packed_bytes;    /* the same, in bytes */
    bool int_counts;      /* counts are ints, displacements are of any size */
    /* Whose blocks may differ in length?  One for each pair of ranks, or the block of a
       rank, which sends or receives it. */
    enum { BLOCKS_EQUAL, BLOCKS_OF_PAIRS, BLOCKS_OF_SENDERS, BLOCKS_OF_RECEIVERS } blocks;
    const struct flow_arrays *arrays;         /* NULL: MPI is given none */
    bool sum;                                 /* what is received is the sum over all ranks, or */
    int (*summed)(const struct bench_run *r); /* over so many, from 0 on */
    /* Of a sum that is not filled and checked below, or what the options choose in its place:
       n elements from the first on of what so many ranks make together or, of 0, of what rank
       contributes. */
    void (*numbers)(const struct bench_run *r, enum element type, void *to, size_t first, size_t n,
                    int ranks, int rank, int nranks);
    /* The vector is dealt out, and each rank receives its part of it: of equal
       length, or the first ranks one element more. */
    enum { FLOW_WHOLE, FLOW_BLOCKS, FLOW_PARTS } dealt;
    /* Are there two sides, whose memory may differ: those who send first, or the
       origins, and the others?  They are run.sender's, or the other way round. */
    enum { SIDES_NONE, SIDES_BY_SENDER, SIDES_TURNED } sides;
    unsigned elsewhere; /* bits: buffers that the family brings (its hook row) */
    /* In place of what verify.h does for this flow; NULL: that.  check calls
       verify_note for all that is wrong. */
    void (*fill)(const struct verify *v);
    void (*check)(const struct verify *v, struct mismatch *first);
    /* Bytes of this rank's message in a row of so many; NULL: as many. */
    size_t (*message_bytes)(const struct bench_run *r, size_t bytes);
    /* Turns of a verified iteration (loop.h): what is said above is of r->turn, and where that
       is 0 there must be as many blocks as in any turn.  NULL: one. */
    int (*turns)(const struct bench_run *r);
    /* Let the run be that of r->turn, and after the last that of all; NULL: nothing is to be
       done. */
    void (*begin_turn)(struct bench_run *r);
    /* In a turn a rank comes late to an operation that synchronizes, which no other rank may
       leave before: the ranks are late in turn. */
    bool synchronizes;
    /* Make what other ranks wrote visible to this one; NULL: it is. */
    void (*make_visible)(const struct bench_run *r);
    /* What the elements of a mismatch are, as "cell", numbered through all blocks; NULL:
       bytes of a block, or elements of a sum. */
    const char *counted;
    const void *of_family; /* what else its family wants to know of it */
};

/* What several flows are described with.  Blocks: none, one, or a window of a rank that has a
   partner; ranks: the partner, CONTENTS_ANYONE, rank 0; slots: the number within a window. */
int flow_no_block(const struct bench_run *r);
int flow_one_block(const struct bench_run *r);
int flow_window_of_pair(const struct bench_run *r);
int flow_window_of_sender(const struct bench_run *r);
int flow_window_of_receiver(const struct bench_run *r);
int flow_peer(const struct bench_run *r, int i);
int flow_anyone(const struct bench_run *r, int i);
int flow_rank_0(const struct bench_run *r, int i);
int flow_in_window(const struct bench_run *r, int i);

/* Can an int count the blocks of so many windows, in both buffers? */
static inline bool flow_is_countable(int windows, int window)
{
    return window <= INT_MAX / 2 / windows;
}

/* Is the send buffer of this rank in place, as things are? */
bool flow_is_in_place(const struct flow *flow, const struct bench_run *r);

/* Blocks that this rank's send buffer, or its receive buffer, has room for: where
   the root rotates, as many as it needs as the root and as another rank. */
size_t flow_room(const struct flow *flow, const struct bench_run *r, bool sending);

/* A window from the sender to the receiver, and in either direction: for flows that say more. */
#define FLOW_STREAM                                                                                \
    .sides = SIDES_BY_SENDER, .sends = flow_window_of_sender, .to = flow_peer,                     \
    .receives = flow_window_of_receiver, .from = flow_peer, .slot = flow_in_window, .window = true
#define FLOW_BOTH_WAYS                                                                             \
    .sides = SIDES_BY_SENDER, .sends = flow_window_of_pair, .to = flow_peer,                       \
    .receives = flow_window_of_pair, .from = flow_peer, .slot = flow_in_window, .window = true

/* What programs of pairs move. */
extern const struct flow flow_none, /* no data */
    flow_ping_pong,                 /* one block to the peer and one back */
    flow_self,                      /* one block from each rank to itself */
    flow_stream,                    /* a window from the sender to the receiver */
    flow_both_ways;                 /* a window in either direction */

/* --- Where the blocks of a buffer lie, and how long they are --- */

/*
 * How long the blocks of a buffer are, where they are not equal.
 *
 * A whole of `blocks` messages is dealt out by weight.  The block of a portion has what lies in
 * the whole between two places: its weights begin after `before` of the sum `of`, and end at
 * `until`.  Places are rounded down, each in the same way, so blocks that follow each other
 * leave nothing out: their sum is the whole, to the last element.
 */
struct portion {
    uint64_t before, until, of; /* weights; of 0: the block is empty */
    uint64_t blocks;            /* the whole, in messages */
};

/* Sums of weights may not be larger: a whole of 2^50 bytes is still exact. */
#define PORTION_WEIGHTS ((uint64_t)1 << 53)

/* What this rank receives of the row's vector, or the whole, where it is not dealt out. */
struct layout_part {
    size_t first, n;
};
struct layout_part layout_own_part(const struct bench_run *r, const struct flow *flow);

/* Part i of a vector of count elements that is dealt out: to everyone an equal whole number,
   and what is then left, if it is dealt out too (rest), one each to the first. */
struct layout_part layout_part(size_t count, int parts, bool rest, int i);

/* Length of the block if a message has count elements, or bytes. */
size_t layout_portion(const struct portion *s, size_t count);

/* Does an int hold the displacement of the last block of any rank, where a message has
   so many units (elements or bytes)? */
bool layout_fits(const struct bench_run *r, size_t units);

/* Bytes of so many blocks and the guard after them, where a message has so many bytes;
   in slots, if it is a window. */
size_t layout_size(const struct layout *l, size_t bytes, size_t blocks, bool window);

/* Bytes of block i of the row that arrays were filled for, which no window has. */
size_t layout_bytes(const struct bench_run *r, const struct layout *l, int i);

#endif
