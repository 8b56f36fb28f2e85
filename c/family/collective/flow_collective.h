/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flow_collective.h - what collective operations move.
 */
#ifndef FLOW_COLLECTIVE_H
#define FLOW_COLLECTIVE_H

#include "data/flow.h"

extern const struct flow
    flow_barrier,        /* nothing: no rank goes on before all are there */
    flow_reduce_all,     /* every rank gets the sum */
    flow_reduce,         /* the root gets it */
    flow_reduce_scatter, /* every rank gets its part of it */
    flow_reduce_scatter_block,    /* the same, of equal parts */
    flow_scan,                    /* the sum over all ranks up to one's own */
    flow_exscan,                  /* the sum over all ranks before one's own */
    flow_broadcast,               /* the root's block to all */
    flow_gather_all,              /* every rank's block to all */
    flow_gather_all_v,            /* the same, packed */
    flow_gather, flow_gather_v,   /* every rank's block to the root */
    flow_scatter, flow_scatter_v, /* the root's blocks to one rank each */
    flow_exchange_all,            /* a block from every rank to every rank */
    flow_exchange_all_v, flow_exchange_all_w; /* the same, packed */

#endif
