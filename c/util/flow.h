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

struct bench_run;

struct flow {
    /* Blocks this rank sends, and the rank that gets block i
       (PATTERN_ANYONE: every rank gets the same). */
    int (*sends)(const struct bench_run *r);
    int (*to)(const struct bench_run *r, int i);
    /* Blocks this rank receives, and the rank that sent block i. */
    int (*receives)(const struct bench_run *r);
    int (*from)(const struct bench_run *r, int i);
    /* Where block i of the send buffer stands in the receive buffer if the
       operation works in place; NULL: it cannot. */
    int (*place)(const struct bench_run *r, int i);
    bool to_all;          /* every rank gets the same */
    bool always_in_place; /* one buffer serves for both */
    bool window;          /* blocks are slots */
    bool packed;       /* blocks are found by int displacements, in elements */
    bool packed_bytes; /* the same, in bytes */
    bool sum;          /* what is received is the sum over all ranks */
    enum { FLOW_BUFFERS, FLOW_INTO_WINDOW, FLOW_OUT_OF_WINDOW } rma;
};

extern const struct flow flow_none, /* no data */
    flow_ping_pong,                 /* one block to the peer and one back */
    flow_stream,       /* a window from the sender to the receiver */
    flow_both_ways,    /* a window in either direction */
    flow_put,          /* into the target's RMA window */
    flow_get,          /* out of it */
    flow_reduce_all,   /* every rank gets the sum */
    flow_broadcast,    /* the root's block to all */
    flow_gather_all,   /* every rank's block to all */
    flow_gather_all_v, /* the same, packed */
    flow_exchange_all, /* a block from every rank to every rank */
    flow_neighbors;    /* a block to and from every neighbour */

#endif
