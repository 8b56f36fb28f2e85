/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reduce_scatter - time of MPI_Reduce_scatter over all ranks
 *
 * Sample   one call on every rank, after all ranks were synchronized.
 * Printed  mean over iterations, then over ranks, in us.
 * Size     bytes of the vector that each rank contributes; each receives its
 *          part of the sum.
 */
#include "bench.h"
#include "collective/collective.h"

static void reduce_scatter(struct bench_run *r)
{
    while (bench_next(r)) {
        bench_sync(r);
        bench_start(r);
        MPI_Reduce_scatter(r->send, r->recv, r->in.counts, r->type, r->op, r->comm);
        bench_stop(r);
    }
}

static const struct bench bench = {
    .name = "reduce_scatter",
    .about = "time of MPI_Reduce_scatter over all ranks",
    .title = "OSU MPI@ Reduce_scatter Latency Test",
    .ranks = { .min = 2 },
    .sizes = { .min = 1, .max = 1 * MiB },
    .counts = &counts_collective,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK | TAKES_IN_PLACE,
    .flow = &flow_reduce_scatter,
    .timed = TIMED_ALL,
    .run = reduce_scatter,
    .report = &report_collective,
    .family = &collective_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
