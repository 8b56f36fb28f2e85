/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bcast - time of MPI_Bcast from the root to all ranks
 *
 * Sample   one call on every rank, after all ranks were synchronized.
 * Printed  mean over iterations, then over ranks, in us; the root may finish
 *          early.
 * Size     bytes of the message.
 */
#include "bench.h"
#include "collective/collective.h"

static void bcast(struct bench_run *r)
{
    while (bench_next(r)) {
        bench_sync(r);
        bench_start(r);
        MPI_Bcast(r->recv, r->count, r->type, r->root, r->comm);
        bench_stop(r);
    }
}

static const struct bench bench = {
    .name = "bcast",
    .about = "time of MPI_Bcast from the root to all ranks",
    .title = "OSU MPI@ Broadcast Latency Test",
    .ranks = { .min = 2 },
    .sizes = { .min = 1, .max = 1 * MiB },
    .counts = &counts_collective,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK | TAKES_ROOT,
    .flow = &flow_broadcast,
    .timed = TIMED_ALL,
    .run = bcast,
    .report = &report_collective,
    .family = &collective_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
