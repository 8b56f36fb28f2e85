/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scan - time of MPI_Scan over all ranks
 *
 * Sample   one call on every rank, after all ranks were synchronized.
 * Printed  mean over iterations, then over ranks, in us.
 * Size     bytes of the vector that each rank contributes.
 */
#include "bench.h"
#include "collective/collective.h"

static void scan(struct bench_run *r)
{
    while (bench_next(r)) {
        bench_sync(r);
        bench_start(r);
        MPI_Scan(r->send, r->recv, r->count, r->type, r->op, r->comm);
        bench_stop(r);
    }
}

static const struct bench bench = {
    .name = "scan",
    .about = "time of MPI_Scan over all ranks",
    .title = "MPI@ Scan Latency Test",
    .ranks = { .min = 2 },
    .sizes = { .min = 1, .max = 1 * MiB },
    .counts = &counts_collective,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK | TAKES_IN_PLACE,
    .flow = &flow_scan,
    .timed = TIMED_ALL,
    .run = scan,
    .report = &report_collective,
    .family = &collective_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
