/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alltoallw - time of MPI_Alltoallw over all ranks
 *
 * Sample   one call on every rank, after all ranks were synchronized.
 * Printed  mean over iterations, then over ranks, in us.
 * Size     bytes from each rank to each rank.
 */
#include "bench.h"
#include "collective/collective.h"

static void alltoallw(struct bench_run *r)
{
    while (bench_next(r)) {
        bench_sync(r);
        bench_start(r);
        MPI_Alltoallw(r->send, r->out.counts, r->out.displs, r->types, r->recv, r->in.counts,
                      r->in.displs, r->types, r->comm);
        bench_stop(r);
    }
}

static const struct bench bench = {
    .name = "alltoallw",
    .about = "time of MPI_Alltoallw over all ranks",
    .title = "OSU MPI@ All-to-Allw Personalized Exchange Latency Test",
    .ranks = { .min = 2 },
    .sizes = { .min = 1, .max = 1 * MiB },
    .counts = &counts_collective,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK | TAKES_IN_PLACE,
    .flow = &flow_exchange_all_w,
    .timed = TIMED_ALL,
    .run = alltoallw,
    .report = &report_collective,
    .family = &collective_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
