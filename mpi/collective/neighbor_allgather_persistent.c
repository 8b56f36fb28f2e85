/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * neighbor_allgather_persistent - time of a persistent MPI_Neighbor_allgather: start and wait
 *
 * Sample   one start and wait on every rank, after all ranks were synchronized;
 *          the request is created untimed, once for each batch of iterations.
 * Printed  mean over iterations, then over ranks, in us.
 * Size     bytes of the message; every neighbor receives the same one.
 */
#include "bench.h"
#include "neighbors/neighbors.h"

static void init(struct bench_run *r, MPI_Request *request)
{
    MPI_Neighbor_allgather_init(r->send, r->count, r->type, r->recv, r->count, r->type, r->comm,
                                MPI_INFO_NULL, request);
}

static void neighbor_allgather(struct bench_run *r)
{
    overlap_run_persistent(r, init); /* overlap.h has both passes */
}

static const struct bench bench = {
    .name = "neighbor_allgather_persistent",
    .about = "time of a persistent MPI_Neighbor_allgather: start and wait",
    .title = "MPI@ Neighborhood Allgather Persistent Latency Test",
    .ranks = { .min = 2 },
    .sizes = { .min = 1, .max = 1 * MiB },
    .counts = &counts_collective,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK,
    .needs = NEEDS_PERSISTENT_COLLECTIVES,
    .flow = &flow_neighbors_all,
    .loop = BINDS_BUFFERS | STARTS_AGAIN,
    .timed = TIMED_ALL,
    .run = neighbor_allgather,
    .report = &report_neighbors_persistent,
    .family = &neighbor_persistent_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
