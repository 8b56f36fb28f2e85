/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow_collective.h"

#include "bench.h"
#include "collective.h"
#include "loop.h"
#include "reduction.h"

const struct extra_column bus_columns[] = {
    [BUS_ALGBW] = { "algbw",
                    "bytes of the operation / mean time, in MB/s, by the formula "
                    "of nccl-tests (--help)",
                    "Alg. BW(MB/s)",
                    "Alg. BW(MB/s)",
                    { 0 } },
    [BUS_BUSBW] = { "busbw",
                    "algbw times the share that each rank's link carries; not "
                    "meaningful for trees and in-network reduction",
                    "Bus BW(MB/s)",
                    "Bus BW(MB/s)",
                    { 0 } },
    { 0 },
};

double bus_bandwidth(const struct bus *bus, int column, int n, double bytes,
                     double seconds)
{
    const double algbw = bytes * (bus->blocks ? n : 1) / seconds;
    const double f = bus->rounds > 0 ? bus->rounds * (n - 1.0) / n : 1;

    return column == BUS_BUSBW ? algbw * f : algbw;
}

struct cell bus_cell(const struct bench *b, const struct result *r,
                     double mean_s, int column)
{
    if (!(mean_s > 0))
        return cell_word("-");
    return cell_real(1e-6 * bus_bandwidth(b->flow->of_family, column,
                                          collective_ranks(r), (double)r->moved,
                                          mean_s));
}

void bus_help(const struct bench *b, char *text, size_t room)
{
    const struct bus *bus = b->flow->of_family;

    snprintf(text, room,
             "--columns=algbw,busbw: algbw = S/t, busbw = algbw%s, in MB/s.\n"
             "S: %sbytes of the row; t: mean time%s; n: ranks.\n"
             "busbw is not meaningful for trees and in-network reduction.\n",
             bus->rounds > 1   ? " * 2(n-1)/n"
             : bus->rounds > 0 ? " * (n-1)/n"
                               : "",
             bus->blocks ? "n times the " : "",
             b->family != &collective_family ? " without computation" : "");
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

/* What algbw and busbw count: an allreduce passes a vector on twice, what gathers,
   scatters or exchanges blocks once. */
static const struct bus vector = { 0 }, shares = { .rounds = 1 },
                        shares_twice = { .rounds = 2 },
                        blocks = { .rounds = 1, .blocks = true };

#define SUM_OF_ALL                                                             \
    .sends = flow_one_block, .to = flow_anyone, .receives = flow_one_block,    \
    .from = rank_of_block, .place = rank_of_block, .sum = true,                \
    .numbers = reduction_numbers
#define GATHER_ALL                                                             \
    .sends = flow_one_block, .to = flow_anyone, .receives = one_per_rank,      \
    .from = rank_of_block, .place = own_block, .of_family = &blocks
#define GATHER                                                                 \
    .sends = flow_one_block, .to = root, .receives = one_per_rank_at_root,     \
    .from = rank_of_block, .place = own_block, .rooted = true,                 \
    .of_family = &blocks
#define SCATTER                                                                \
    .sends = one_per_rank_at_root, .to = rank_of_block,                        \
    .receives = one_unless_in_place, .from = root, .rooted = true,             \
    .of_family = &blocks
#define EXCHANGE_ALL                                                           \
    .sends = one_per_rank, .to = rank_of_block, .receives = one_per_rank,      \
    .from = rank_of_block, .place = rank_of_block, .of_family = &blocks

/* Ranks that come late in turn: all or, of many, some. */
enum { STRAGGLERS = 32 };

static int stragglers(const struct bench_run *r)
{
    return r->nranks < STRAGGLERS ? r->nranks : STRAGGLERS;
}

const struct flow flow_barrier = {
    .sends = flow_no_block,
    .to = flow_peer,
    .receives = flow_no_block,
    .from = flow_peer,
    .turns = stragglers,
    .synchronizes = true,
};
const struct flow flow_reduce_all = { SUM_OF_ALL, .of_family = &shares_twice };
const struct flow flow_reduce = {
    .sends = flow_one_block,
    .to = root,
    .receives = one_of_root,
    .from = rank_of_block,
    .place = rank_of_block,
    .sum = true,
    .numbers = reduction_numbers,
    .rooted = true,
    .of_family = &vector,
};
const struct flow flow_reduce_scatter = { SUM_OF_ALL, .dealt = FLOW_PARTS,
                                          .of_family = &shares };
const struct flow flow_reduce_scatter_block = { SUM_OF_ALL,
                                                .dealt = FLOW_BLOCKS,
                                                .of_family = &shares };
const struct flow flow_scan = { SUM_OF_ALL, .summed = up_to_own,
                                .of_family = &vector };
const struct flow flow_exscan = { SUM_OF_ALL, .summed = before_own,
                                  .of_family = &vector };
const struct flow flow_broadcast = {
    .sends = one_of_root,
    .to = flow_anyone,
    .receives = flow_one_block,
    .from = root,
    .place = rank_of_block,
    .rooted = true,
    .always_in_place = true,
    .of_family = &vector,
};
const struct flow flow_gather_all = { GATHER_ALL };
const struct flow flow_gather_all_v = { GATHER_ALL, .packed = true,
                                        .blocks = BLOCKS_OF_SENDERS };
const struct flow flow_gather = { GATHER };
const struct flow flow_gather_v = { GATHER, .packed = true,
                                    .blocks = BLOCKS_OF_SENDERS };
const struct flow flow_scatter = { SCATTER };
const struct flow flow_scatter_v = { SCATTER, .packed = true,
                                     .blocks = BLOCKS_OF_RECEIVERS };
const struct flow flow_exchange_all = { EXCHANGE_ALL };
const struct flow flow_exchange_all_v = { EXCHANGE_ALL, .packed = true,
                                          .blocks = BLOCKS_OF_PAIRS };
const struct flow flow_exchange_all_w = { EXCHANGE_ALL, .packed_bytes = true,
                                          .blocks = BLOCKS_OF_PAIRS };
