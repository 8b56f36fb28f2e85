/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow_collective.h"
#include "contents.h"
#include "loop.h"

static int one(const struct bench_run *r)
{
    (void)r;
    return 1;
}

static int one_per_rank(const struct bench_run *r)
{
    return r->nranks;
}

static int one_of_root(const struct bench_run *r)
{
    return r->rank == r->root;
}

static int one_per_rank_at_root(const struct bench_run *r)
{
    return r->rank == r->root ? r->nranks : 0;
}

/* The root that works in place keeps its block where it is. */
static int one_unless_in_place(const struct bench_run *r)
{
    return !(r->in_place && r->rank == r->root);
}

static int up_to_own(const struct bench_run *r)
{
    return r->rank + 1;
}

static int before_own(const struct bench_run *r)
{
    return r->rank;
}

static int anyone(const struct bench_run *r, int i)
{
    (void)r;
    (void)i;
    return CONTENTS_ANYONE;
}

static int root(const struct bench_run *r, int i)
{
    (void)i;
    return r->root;
}

static int rank_of_block(const struct bench_run *r, int i)
{
    (void)r;
    return i;
}

static int own_block(const struct bench_run *r, int i)
{
    (void)i;
    return r->rank;
}

const struct flow flow_reduce_all = {
    .sends = one,
    .to = anyone,
    .to_all = true,
    .receives = one,
    .from = rank_of_block,
    .place = rank_of_block,
    .sum = true,
};
const struct flow flow_reduce = {
    .sends = one,
    .to = root,
    .receives = one_of_root,
    .from = rank_of_block,
    .place = rank_of_block,
    .sum = true,
    .rooted = true,
};
const struct flow flow_reduce_scatter = {
    .sends = one,
    .to = anyone,
    .to_all = true,
    .receives = one,
    .from = rank_of_block,
    .place = rank_of_block,
    .sum = true,
    .dealt = FLOW_PARTS,
};
const struct flow flow_reduce_scatter_block = {
    .sends = one,
    .to = anyone,
    .to_all = true,
    .receives = one,
    .from = rank_of_block,
    .place = rank_of_block,
    .sum = true,
    .dealt = FLOW_BLOCKS,
};
const struct flow flow_scan = {
    .sends = one,
    .to = anyone,
    .to_all = true,
    .receives = one,
    .from = rank_of_block,
    .place = rank_of_block,
    .sum = true,
    .summed = up_to_own,
};
const struct flow flow_exscan = {
    .sends = one,
    .to = anyone,
    .to_all = true,
    .receives = one,
    .from = rank_of_block,
    .place = rank_of_block,
    .sum = true,
    .summed = before_own,
};
const struct flow flow_broadcast = {
    .sends = one_of_root,
    .to = anyone,
    .to_all = true,
    .receives = one,
    .from = root,
    .place = rank_of_block,
    .rooted = true,
    .always_in_place = true,
};
const struct flow flow_gather_all = {
    .sends = one,
    .to = anyone,
    .to_all = true,
    .receives = one_per_rank,
    .from = rank_of_block,
    .place = own_block,
};
const struct flow flow_gather_all_v = {
    .sends = one,
    .to = anyone,
    .to_all = true,
    .receives = one_per_rank,
    .from = rank_of_block,
    .place = own_block,
    .packed = true,
};
const struct flow flow_gather = {
    .sends = one,
    .to = root,
    .receives = one_per_rank_at_root,
    .from = rank_of_block,
    .place = own_block,
    .rooted = true,
};
const struct flow flow_gather_v = {
    .sends = one,
    .to = root,
    .receives = one_per_rank_at_root,
    .from = rank_of_block,
    .place = own_block,
    .rooted = true,
    .packed = true,
};
const struct flow flow_scatter = {
    .sends = one_per_rank_at_root,
    .to = rank_of_block,
    .receives = one_unless_in_place,
    .from = root,
    .rooted = true,
};
const struct flow flow_scatter_v = {
    .sends = one_per_rank_at_root,
    .to = rank_of_block,
    .receives = one_unless_in_place,
    .from = root,
    .rooted = true,
    .packed = true,
};
const struct flow flow_exchange_all = {
    .sends = one_per_rank,
    .to = rank_of_block,
    .receives = one_per_rank,
    .from = rank_of_block,
    .place = rank_of_block,
};
const struct flow flow_exchange_all_v = {
    .sends = one_per_rank,
    .to = rank_of_block,
    .receives = one_per_rank,
    .from = rank_of_block,
    .place = rank_of_block,
    .packed = true,
};
const struct flow flow_exchange_all_w = {
    .sends = one_per_rank,
    .to = rank_of_block,
    .receives = one_per_rank,
    .from = rank_of_block,
    .place = rank_of_block,
    .packed_bytes = true,
};
