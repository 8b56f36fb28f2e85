/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alltoallv - time of MPI_Alltoallv over all ranks
 *
 * Sample   one call on every rank, after all ranks were synchronized.
 * Printed  mean over iterations, then over ranks, in us.
 * Size     bytes from each rank to each rank.
 */
#include "bench.h"
#include "collective/collective.h"

static void alltoallv(struct bench_run *r)
{
    while (bench_next(r)) {
        bench_sync(r);
        bench_start(r);
        MPI_Alltoallv(r->send, r->out.counts, r->out.displs, r->type, r->recv, r->in.counts,
                      r->in.displs, r->type, r->comm);
        bench_stop(r);
    }
}

static const struct bench bench = {
    .name = "alltoallv",
    .about = "time of MPI_Alltoallv over all ranks",
    .title = "OSU MPI@ All-to-Allv Personalized Exchange Latency Test",
    .ranks = { .min = 2 },
    .sizes = { .min = 1, .max = 1 * MiB },
    .counts = &counts_collective,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK | TAKES_IN_PLACE,
    .flow = &flow_exchange_all_v,
    .timed = TIMED_ALL,
    .run = alltoallv,
    .report = &report_collective,
    .family = &collective_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
