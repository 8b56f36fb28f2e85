/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * neighbor_alltoallv_persistent - time of a persistent MPI_Neighbor_alltoallv: start and wait
 *
 * Sample   one start and wait on every rank, after all ranks were synchronized;
 *          the request is created untimed, once for each batch of iterations.
 * Printed  mean over iterations, then over ranks, in us.
 * Size     bytes to each neighbor.
 */
#include "bench.h"
#include "neighbors/neighbors.h"

static void init(struct bench_run *r, MPI_Request *request)
{
    MPI_Neighbor_alltoallv_init(r->send, r->out.counts, r->out.displs, r->type, r->recv,
                                r->in.counts, r->in.displs, r->type, r->comm, MPI_INFO_NULL,
                                request);
}

static void neighbor_alltoallv(struct bench_run *r)
{
    overlap_run_persistent(r, init); /* overlap.h has both passes */
}

static const struct bench bench = {
    .name = "neighbor_alltoallv_persistent",
    .about = "time of a persistent MPI_Neighbor_alltoallv: start and wait",
    .title = "MPI@ Neighborhood All-to-Allv Persistent Latency Test",
    .ranks = { .min = 2 },
    .sizes = { .min = 1, .max = 1 * MiB },
    .counts = &counts_collective,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK,
    .needs = NEEDS_PERSISTENT_COLLECTIVES,
    .flow = &flow_neighbors_v,
    .loop = BINDS_BUFFERS | STARTS_AGAIN,
    .timed = TIMED_ALL,
    .run = neighbor_alltoallv,
    .report = &report_neighbors_persistent,
    .family = &neighbor_persistent_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
