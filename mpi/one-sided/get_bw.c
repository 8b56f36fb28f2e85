/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * get_bw - bandwidth of MPI_Get, a window of operations in one epoch
 *
 *     rank 0 (origin)   open epoch, get x window, close   <== rank 1 (target)
 *
 * Sample   one window of gets in its epoch, timed on rank 0; rma.h has the
 *          loop, and says what opens and closes the epoch for each -s.
 * Printed  window * size / mean time, in MB/s (10^6 bytes). flush_local means
 *          local completion only: the data have arrived.
 */
#include "bench.h"
#include "rma/rma.h"

static void get(struct bench_run *r, int slot)
{
    MPI_Get(bench_recv_slot(r, slot), r->count, r->type, r->peer, rma_place(r, slot), r->count,
            r->type, rma_of(r)->win);
}

static void get_bw(struct bench_run *r)
{
    rma_bandwidth(r, get);
}

static const struct bench bench = {
    .name = "get_bw",
    .about = "bandwidth of MPI_Get, a window of operations in one epoch",
    .title = "OSU MPI_Get@ Bandwidth Test",
    .ranks = { .min = 2, .max = 2 },
    .sizes = { .min = 1, .max = 4 * MiB },
    .counts = &counts_bandwidth,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_CHECK | TAKES_WINDOW | TAKES_RMA,
    .flow = &flow_get,
    .loop = BACK_TO_BACK | BINDS_BUFFERS,
    .timed = TIMED_RANK_0,
    .run = get_bw,
    .report = &report_rma_bandwidth,
    .family = &rma_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
