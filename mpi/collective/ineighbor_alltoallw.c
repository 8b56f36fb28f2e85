/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ineighbor_alltoallw - time of MPI_Ineighbor_alltoallw, and the computation it hides
 *
 * Sample   start, a computation as long as the operation alone, and wait, on
 *          every rank, after all ranks were synchronized.
 * Printed  means over iterations, then over ranks, in us; overlap in percent.
 * Size     bytes to each neighbor.
 */
#include "bench.h"
#include "neighbors/neighbors.h"

static void start(struct bench_run *r, MPI_Request *request)
{
    MPI_Ineighbor_alltoallw(r->send, r->out.counts, r->out.displacements, r->types, r->recv,
                            r->in.counts, r->in.displacements, r->types, r->comm, request);
}

static void ineighbor_alltoallw(struct bench_run *r)
{
    overlap_run(r, start); /* overlap.h has both passes */
}

static const struct bench bench = {
    .name = "ineighbor_alltoallw",
    .about = "time of MPI_Ineighbor_alltoallw, and the computation it hides",
    .title = "OSU MPI@ Non-blocking Neighborhood Alltoallw Latency Test",
    .ranks = { .min = 2 },
    .sizes = { .min = 1, .max = 1 * MiB },
    .counts = &counts_collective,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK,
    .flow = &flow_neighbors_w,
    .timed = TIMED_ALL,
    .run = ineighbor_alltoallw,
    .report = &report_neighbors_overlap,
    .family = &ineighbor_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
