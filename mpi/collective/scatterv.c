/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scatterv - time of MPI_Scatterv from the root to all ranks
 *
 * Sample   one call on every rank, after all ranks were synchronized.
 * Printed  mean over iterations, then over ranks, in us; the root may finish
 *          early.
 * Size     bytes to each rank.
 */
#include "bench.h"
#include "collective/collective.h"

static void scatterv(struct bench_run *r)
{
    while (bench_next(r)) {
        bench_sync(r);
        bench_start(r);
        MPI_Scatterv(r->send, r->out.counts, r->out.displs, r->type, r->recv, r->in.counts[0],
                     r->type, r->root, r->comm);
        bench_stop(r);
    }
}

static const struct bench bench = {
    .name = "scatterv",
    .about = "time of MPI_Scatterv from the root to all ranks",
    .title = "OSU MPI@ Scatterv Latency Test",
    .ranks = { .min = 2 },
    .sizes = { .min = 1, .max = 1 * MiB },
    .counts = &counts_collective,
    .takes =
        TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK | TAKES_IN_PLACE | TAKES_ROOT,
    .flow = &flow_scatter_v,
    .timed = TIMED_ALL,
    .run = scatterv,
    .report = &report_collective,
    .family = &collective_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
