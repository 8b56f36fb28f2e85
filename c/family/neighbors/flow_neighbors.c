/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow_neighbors.h"

#include "neighbors.h"

static int destinations(const struct bench_run *r)
{
    return neighbors_of(r)->topology.ndestinations;
}

static int sources(const struct bench_run *r)
{
    return neighbors_of(r)->topology.nsources;
}

static int source_of_block(const struct bench_run *r, int i)
{
    return neighbors_of(r)->topology.source[i];
}

static int destination_of_block(const struct bench_run *r, int i)
{
    return neighbors_of(r)->topology.destination[i];
}

const struct flow flow_neighbors = {
    .sends = destinations,
    .to = destination_of_block,
    .receives = sources,
    .from = source_of_block,
};
const struct flow flow_neighbors_v = {
    .sends = destinations,
    .to = destination_of_block,
    .receives = sources,
    .from = source_of_block,
    .packed = true,
    .blocks = BLOCKS_OF_PAIRS,
};
const struct flow flow_neighbors_w = {
    .sends = destinations,
    .to = destination_of_block,
    .receives = sources,
    .from = source_of_block,
    .int_counts = true,
    .blocks = BLOCKS_OF_PAIRS,
};
const struct flow flow_neighbors_all = {
    .sends = flow_one_block,
    .to = flow_anyone,
    .receives = sources,
    .from = source_of_block,
};
const struct flow flow_neighbors_all_v = {
    .sends = flow_one_block,
    .to = flow_anyone,
    .receives = sources,
    .from = source_of_block,
    .packed = true,
    .blocks = BLOCKS_OF_SENDERS,
};
