/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * get_multi_lat - latency of MPI_Get, all pairs of ranks at once
 *
 *     rank i (origin)   open epoch, get, close epoch <-----   rank i + P/2
 *
 * Sample   one get in its epoch, timed on each origin, after all pairs were
 *          synchronized; rma.h has the loop, and says what opens and closes the
 *          epoch for each -s.
 * Printed  mean over iterations and pairs, in us; with pscw and fence the ranks
 *          of a pair take turns, and half is printed. flush_local means local
 *          completion only: the result has arrived.
 */
#include "bench.h"
#include "rma/rma.h"

static void get(struct bench_run *r, int slot)
{
    MPI_Get(bench_recv_slot(r, slot), r->count, r->type, r->peer, rma_place(r, slot), r->count,
            r->type, rma_of(r)->win);
}

static void get_multi_lat(struct bench_run *r)
{
    rma_latency_of_pairs(r, get);
}

static const struct bench bench = {
    .name = "get_multi_lat",
    .about = "latency of MPI_Get, all pairs of ranks at once",
    .title = "MPI_Get@ Multi Latency Test",
    .ranks = { .min = 2, .even = true },
    .sizes = { .min = 1, .max = 4 * MiB },
    .counts = &counts_latency,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_CHECK | TAKES_RMA | TAKES_PAIRING,
    .flow = &flow_get,
    .loop = BINDS_BUFFERS,
    .timed = TIMED_SENDERS,
    .run = get_multi_lat,
    .report = &report_rma_latency_of_pairs,
    .family = &rma_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
