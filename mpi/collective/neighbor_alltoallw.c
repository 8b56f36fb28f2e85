/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * neighbor_alltoallw - time of MPI_Neighbor_alltoallw on a grid or a graph
 *
 * Sample   one call on every rank, after all ranks were synchronized.
 * Printed  mean over iterations, then over ranks, in us.
 * Size     bytes to each neighbor.
 */
#include "bench.h"
#include "neighbors/neighbors.h"

static void neighbor_alltoallw(struct bench_run *r)
{
    while (bench_next(r)) {
        bench_sync(r);
        bench_start(r);
        MPI_Neighbor_alltoallw(r->send, r->out.counts, r->out.displacements, r->types, r->recv,
                               r->in.counts, r->in.displacements, r->types, r->comm);
        bench_stop(r);
    }
}

static const struct bench bench = {
    .name = "neighbor_alltoallw",
    .about = "time of MPI_Neighbor_alltoallw on a grid or a graph",
    .title = "OSU MPI@ All-to-Allw Personalized Exchange Latency Test",
    .ranks = { .min = 2 },
    .sizes = { .min = 1, .max = 1 * MiB },
    .counts = &counts_collective,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK,
    .flow = &flow_neighbors_w,
    .timed = TIMED_ALL,
    .run = neighbor_alltoallw,
    .report = &report_neighbors,
    .family = &neighbors_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
