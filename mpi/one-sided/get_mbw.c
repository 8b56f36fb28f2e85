/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * get_mbw - bandwidth of MPI_Get, all pairs of ranks at once
 *
 *     rank i (origin)   open epoch, get x window, close   <== rank i + P/2
 *
 * Sample   one window of gets in its epoch, timed on each origin, after all
 *          pairs were synchronized; rma.h has the loop, and says what opens and
 *          closes the epoch for each -s.
 * Printed  pairs * window * size / mean time of the origins, in MB/s (10^6
 *          bytes). flush_local means local completion only: the data have
 *          arrived.
 */
#include "bench.h"
#include "rma/rma.h"

static void get(struct bench_run *r, int slot)
{
    MPI_Get(bench_recv_slot(r, slot), r->count, r->type, r->peer, rma_place(r, slot), r->count,
            r->type, rma_of(r)->win);
}

static void get_mbw(struct bench_run *r)
{
    rma_bandwidth_of_pairs(r, get);
}

static const struct bench bench = {
    .name = "get_mbw",
    .about = "bandwidth of MPI_Get, all pairs of ranks at once",
    .title = "MPI_Get@ Multi Bandwidth Test",
    .ranks = { .min = 2, .even = true },
    .sizes = { .min = 1, .max = 4 * MiB },
    .counts = &counts_message_rate,
    .takes =
        TAKES_SIZES | TAKES_ITERATIONS | TAKES_CHECK | TAKES_WINDOW | TAKES_RMA | TAKES_PAIRING,
    .flow = &flow_get,
    .loop = BINDS_BUFFERS,
    .timed = TIMED_SENDERS,
    .run = get_mbw,
    .report = &report_rma_bandwidth_of_pairs,
    .family = &rma_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
