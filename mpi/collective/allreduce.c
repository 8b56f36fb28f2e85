/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * allreduce - time of MPI_Allreduce over all ranks
 *
 * Sample   one call on every rank, after all ranks were synchronized. The
 *          synchronization is not timed; without it a sample would include
 *          waiting for ranks that come late.
 * Printed  mean over iterations, then over ranks, in us.
 * Size     bytes of the vector that each rank contributes.
 */
#include "bench.h"
#include "collective/collective.h"

static void allreduce(struct bench_run *r)
{
    while (bench_next(r)) {
        bench_sync(r);
        bench_start(r);
        MPI_Allreduce(r->send, r->recv, r->count, r->type, r->op, r->comm);
        bench_stop(r);
    }
}

static const struct bench bench = {
    .name = "allreduce",
    .about = "time of MPI_Allreduce over all ranks",
    .title = "OSU MPI@ Allreduce Latency Test",
    .ranks = { .min = 2 },
    .sizes = { .min = 1, .max = 1 * MiB },
    .counts = &counts_collective,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK | TAKES_IN_PLACE,
    .flow = &flow_reduce_all,
    .timed = TIMED_ALL,
    .run = allreduce,
    .report = &report_collective,
    .family = &collective_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
