/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow_neighbors.h"

#include "data/contents.h"
#include "neighbors.h"

static int own_block(const struct bench_run *r)
{
    (void)r;
    return 1;
}

static int destinations(const struct bench_run *r)
{
    return neighbors_of(r)->topology.ndestinations;
}

static int sources(const struct bench_run *r)
{
    return neighbors_of(r)->topology.nsources;
}

static int anyone(const struct bench_run *r, int i)
{
    (void)r;
    (void)i;
    return CONTENTS_ANYONE;
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
};
const struct flow flow_neighbors_w = {
    .sends = destinations,
    .to = destination_of_block,
    .receives = sources,
    .from = source_of_block,
    .int_counts = true,
};
const struct flow flow_neighbors_all = {
    .sends = own_block,
    .to = anyone,
    .to_all = true,
    .receives = sources,
    .from = source_of_block,
};
const struct flow flow_neighbors_all_v = {
    .sends = own_block,
    .to = anyone,
    .to_all = true,
    .receives = sources,
    .from = source_of_block,
    .packed = true,
};
