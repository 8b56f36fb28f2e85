/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flow_rma.h - the communication patterns of one-sided programs, and the
 *              contents of their windows.
 */
#ifndef FLOW_RMA_H
#define FLOW_RMA_H

#include "data/flow.h"

/* What struct flow lacks for one-sided programs; its of_family points here. */
struct flow_rma {
    /* Blocks of this rank's window that operations update. */
    int (*updated)(const struct bench_run *r);
    bool swap;          /* block 0 replaces what equals block 1 */
    bool one_block;     /* all operations use one block of the window */
    bool both_ways;     /* the first rank of a pair is a target too */
    unsigned exclusive; /* bits 1 << enum rma_sync: their locks are exclusive */
    /* Bits 1 << operation: the CPU must see a put without an MPI call */
    unsigned watched;
};

static inline const struct flow_rma *flow_rma_of(const struct flow *flow)
{
    return flow->of_family;
}

extern const struct flow flow_put, /* into the target's window */
    flow_put_both_ways,            /* into each other's window */
    flow_get_both_ways,            /* out of each other's window */
    flow_put_watched,      /* the same, and operation 0 watches the memory */
    flow_get,              /* out of the target's window */
    flow_accumulate,       /* added to what the target's window holds */
    flow_get_accumulate,   /* and the origin receives its previous contents */
    flow_fetch_and_add,    /* the same for one element */
    flow_compare_and_swap, /* the same, but swapped if equal */
    flow_hot_get,          /* rank 0's block, repeatedly, to every other rank */
    flow_hot_put; /* a block of every other rank to one place on rank 0 */

#endif
