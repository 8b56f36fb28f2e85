/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * put_bibw - bandwidth of MPI_Put in both directions at once
 *
 *     rank 0   open epoch, put x window, close   <==>   the same   rank 1
 *
 * Sample   one window of puts in each direction and their epochs, timed on rank
 *          0; rma.h has the loop, and says what opens and closes the epoch for
 *          each -s. Only pscw and fence are possible: each rank is a target
 *          too, and must know when the puts are complete.
 * Printed  2 * window * size / mean time, in MB/s (10^6 bytes).
 */
#include "bench.h"
#include "rma/rma.h"

static void put(struct bench_run *r, int slot)
{
    MPI_Put(bench_send_slot(r, slot), r->count, r->type, r->peer, rma_place(r, slot), r->count,
            r->type, rma_of(r)->win);
}

static void put_bibw(struct bench_run *r)
{
    rma_both_ways(r, put);
}

static const struct bench bench = {
    .name = "put_bibw",
    .about = "bandwidth of MPI_Put in both directions at once",
    .title = "OSU MPI_Put@ Bi-directional Bandwidth Test",
    .ranks = { .min = 2, .max = 2 },
    .sizes = { .min = 1, .max = 4 * MiB },
    .counts = &counts_bandwidth,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_CHECK | TAKES_WINDOW | TAKES_ACTIVE,
    .flow = &flow_put_both_ways,
    .loop = BACK_TO_BACK | BINDS_BUFFERS,
    .timed = TIMED_RANK_0,
    .run = put_bibw,
    .report = &report_rma_both_ways,
    .family = &rma_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
