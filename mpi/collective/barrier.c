/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * barrier - time of MPI_Barrier over all ranks
 *
 * Sample   one call on every rank, after all ranks were synchronized; with
 *          --protocol omb one barrier follows another.
 * Printed  mean over iterations, then over ranks, in us.
 */
#include "bench.h"
#include "collective/collective.h"

static void barrier(struct bench_run *r)
{
    while (bench_next(r)) {
        if (!r->as_omb)
            bench_sync(r);
        bench_start(r);
        MPI_Barrier(r->comm);
        bench_stop(r);
    }
}

static const struct bench bench = {
    .name = "barrier",
    .about = "time of MPI_Barrier over all ranks",
    .title = "OSU MPI@ Barrier Latency Test",
    .ranks = { .min = 2 },
    .counts = &counts_collective,
    .takes = TAKES_ITERATIONS,
    .idle = "mMu",
    .flow = &flow_barrier,
    .timed = TIMED_ALL,
    .run = barrier,
    .report = &report_barrier,
    .family = &collective_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
