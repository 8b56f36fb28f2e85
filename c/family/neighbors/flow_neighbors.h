/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flow_neighbors.h - the communication patterns of neighborhood collectives
 *                    (data/flow.h).
 */
#ifndef FLOW_NEIGHBORS_H
#define FLOW_NEIGHBORS_H

#include "data/flow.h"

extern const struct flow
    flow_neighbors,       /* a block to and from every neighbor */
    flow_neighbors_v,     /* the same, packed */
    flow_neighbors_w,     /* the same, each with its type and place */
    flow_neighbors_all,   /* every rank's block to all its neighbors */
    flow_neighbors_all_v; /* the same, packed */

#endif
