/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alltoall - time of MPI_Alltoall over all ranks
 *
 * Sample   one call on every rank, after all ranks were synchronized.
 * Printed  mean over iterations, then over ranks, in us.
 * Size     bytes from each rank to each rank.
 */
#include "bench.h"
#include "collective/collective.h"

static void alltoall(struct bench_run *r)
{
    while (bench_next(r)) {
        bench_sync(r);
        bench_start(r);
        MPI_Alltoall(r->send, r->count, r->type, r->recv, r->count, r->type, r->comm);
        bench_stop(r);
    }
}

static const struct bench bench = {
    .name = "alltoall",
    .about = "time of MPI_Alltoall over all ranks",
    .title = "OSU MPI@ All-to-All Personalized Exchange Latency Test",
    .ranks = { .min = 2 },
    .sizes = { .min = 1, .max = 1 * MiB },
    .counts = &counts_collective,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK | TAKES_IN_PLACE,
    .flow = &flow_exchange_all,
    .timed = TIMED_ALL,
    .run = alltoall,
    .report = &report_collective,
    .family = &collective_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
