/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flow_rma.h - what one-sided programs send where, and what their windows hold.
 */
#ifndef FLOW_RMA_H
#define FLOW_RMA_H

#include "data/flow.h"

/* What flow.h has no word for: a flow's of_family. */
struct flow_rma {
    /* Blocks of this rank's window that operations update (update.h). */
    int (*updated)(const struct bench_run *r);
    bool swap;          /* block 0 takes the place of what equals block 1 */
    bool one_block;     /* of the window, that all operations name */
    bool both_ways;     /* the first of a pair is a target too */
    unsigned exclusive; /* bits 1 << enum rma_sync: their locks are exclusive */
    unsigned watched;   /* bits 1 << operation: the processor must see a put
                           without a call of MPI */
};

static inline const struct flow_rma *flow_rma_of(const struct flow *flow)
{
    return flow->of_family;
}

extern const struct flow flow_put, /* into the target's window */
    flow_put_both_ways,            /* into each other's */
    flow_put_watched,      /* the same, and operation 0 watches the memory */
    flow_get,              /* out of it */
    flow_accumulate,       /* added to what the target's window holds */
    flow_get_accumulate,   /* and what it held before is received */
    flow_fetch_and_add,    /* the same, of one element */
    flow_compare_and_swap, /* the same, swapped if equal */
    flow_hot_get,          /* rank 0's block, over and over, to every other */
    flow_hot_put;          /* one block of every other to one place at rank 0 */

#endif
