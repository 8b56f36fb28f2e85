/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * neighbor_allgatherv - time of MPI_Neighbor_allgatherv on a grid or a graph
 *
 * Sample   one call on every rank, after all ranks were synchronized.
 * Printed  mean over iterations, then over ranks, in us.
 * Size     bytes of the message; every neighbor receives the same one.
 */
#include "bench.h"
#include "neighbors/neighbors.h"

static void neighbor_allgatherv(struct bench_run *r)
{
    while (bench_next(r)) {
        bench_sync(r);
        bench_start(r);
        MPI_Neighbor_allgatherv(r->send, r->out.counts[0], r->type, r->recv, r->in.counts,
                                r->in.displs, r->type, r->comm);
        bench_stop(r);
    }
}

static const struct bench bench = {
    .name = "neighbor_allgatherv",
    .about = "time of MPI_Neighbor_allgatherv on a grid or a graph",
    .title = "OSU MPI@ Neighborhood Allgatherv Latency Test",
    .ranks = { .min = 2 },
    .sizes = { .min = 1, .max = 1 * MiB },
    .counts = &counts_collective,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK,
    .flow = &flow_neighbors_all_v,
    .timed = TIMED_ALL,
    .run = neighbor_allgatherv,
    .report = &report_neighbors,
    .family = &neighbors_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
