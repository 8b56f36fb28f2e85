/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * allgatherv - time of MPI_Allgatherv over all ranks
 *
 * Sample   one call on every rank, after all ranks were synchronized.
 * Printed  mean over iterations, then over ranks, in us.
 * Size     bytes that each rank contributes.
 */
#include "bench.h"
#include "collective/collective.h"

static void allgatherv(struct bench_run *r)
{
    while (bench_next(r)) {
        bench_sync(r);
        bench_start(r);
        MPI_Allgatherv(r->send, r->out.counts[0], r->type, r->recv, r->in.counts, r->in.displs,
                       r->type, r->comm);
        bench_stop(r);
    }
}

static const struct bench bench = {
    .name = "allgatherv",
    .about = "time of MPI_Allgatherv over all ranks",
    .title = "OSU MPI@ Allgatherv Latency Test",
    .ranks = { .min = 2 },
    .sizes = { .min = 1, .max = 1 * MiB },
    .counts = &counts_collective,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK | TAKES_IN_PLACE,
    .flow = &flow_gather_all_v,
    .timed = TIMED_ALL,
    .run = allgatherv,
    .report = &report_collective,
    .family = &collective_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
