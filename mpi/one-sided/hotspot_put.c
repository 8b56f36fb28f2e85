/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hotspot_put - bandwidth when a growing number of ranks writes one block
 *
 *     rank i (origin)   open epoch, put x window, close ==> rank 0, one block
 *
 * Sample   one window of puts in its epoch, timed on each peer, after all ranks
 *          were synchronized; rma.h has the loop, and says what opens and
 *          closes the epoch for each -s.
 * Printed  peers * window * size / mean time of the peers, in MB/s (10^6
 *          bytes), and that of each. flush_local means local completion only.
 *
 * All peers write the same data, so that the block is known afterwards.
 */
#include "bench.h"
#include "rma/rma.h"

static void put(struct bench_run *r, int slot)
{
    (void)slot;
    MPI_Put(r->send, r->count, r->type, r->peer, rma_place(r, 0), r->count, r->type,
            rma_of(r)->win);
}

static void hotspot_put(struct bench_run *r)
{
    rma_bandwidth_of_pairs(r, put);
}

static const struct bench bench = {
    .name = "hotspot_put",
    .about = "bandwidth when a growing number of ranks writes one block",
    .title = "MPI_Put@ Hot-Spot Bandwidth Test",
    .ranks = { .min = 2 },
    .sizes = { .min = 1, .max = 1 * MiB },
    .counts = &counts_bandwidth,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_CHECK | TAKES_WINDOW | TAKES_PASSIVE,
    .parameter = HOTSPOT_PEERS,
    .flow = &flow_hot_put,
    .loop = BINDS_BUFFERS,
    .timed = TIMED_SENDERS,
    .run = hotspot_put,
    .report = &report_rma_hot_spot,
    .family = &rma_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
