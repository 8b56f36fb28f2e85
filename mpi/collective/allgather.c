/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * allgather - time of MPI_Allgather over all ranks
 *
 * Sample   one call on every rank, after all ranks were synchronized.
 * Printed  mean over iterations, then over ranks, in us.
 * Size     bytes that each rank contributes.
 */
#include "bench.h"
#include "collective/collective.h"

static void allgather(struct bench_run *r)
{
    while (bench_next(r)) {
        bench_sync(r);
        bench_start(r);
        MPI_Allgather(r->send, r->count, r->type, r->recv, r->count, r->type, r->comm);
        bench_stop(r);
    }
}

static const struct bench bench = {
    .name = "allgather",
    .about = "time of MPI_Allgather over all ranks",
    .title = "OSU MPI@ Allgather Latency Test",
    .ranks = { .min = 2 },
    .sizes = { .min = 1, .max = 1 * MiB },
    .counts = &counts_collective,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK | TAKES_IN_PLACE,
    .flow = &flow_gather_all,
    .timed = TIMED_ALL,
    .run = allgather,
    .report = &report_collective,
    .family = &collective_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
