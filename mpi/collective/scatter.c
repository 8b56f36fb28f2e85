/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scatter - time of MPI_Scatter from the root to all ranks
 *
 * Sample   one call on every rank, after all ranks were synchronized.
 * Printed  mean over iterations, then over ranks, in us; the root may finish
 *          early.
 * Size     bytes to each rank.
 */
#include "bench.h"
#include "collective/collective.h"

static void scatter(struct bench_run *r)
{
    while (bench_next(r)) {
        bench_sync(r);
        bench_start(r);
        MPI_Scatter(r->send, r->count, r->type, r->recv, r->count, r->type, r->root, r->comm);
        bench_stop(r);
    }
}

static const struct bench bench = {
    .name = "scatter",
    .about = "time of MPI_Scatter from the root to all ranks",
    .title = "OSU MPI@ Scatter Latency Test",
    .ranks = { .min = 2 },
    .sizes = { .min = 1, .max = 1 * MiB },
    .counts = &counts_collective,
    .takes =
        TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK | TAKES_IN_PLACE | TAKES_ROOT,
    .flow = &flow_scatter,
    .timed = TIMED_ALL,
    .run = scatter,
    .report = &report_collective,
    .family = &collective_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
