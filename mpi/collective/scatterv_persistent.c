/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scatterv_persistent - time of a persistent MPI_Scatterv: start and wait
 *
 * Sample   one start and wait on every rank, after all ranks were synchronized;
 *          the request is created untimed, once for each batch of iterations.
 * Printed  mean over iterations, then over ranks, in us; the root may finish
 *          early.
 * Size     bytes to each rank; all counts are equal.
 */
#include "bench.h"
#include "overlap/overlap.h"

static void init(struct bench_run *r, MPI_Request *request)
{
    MPI_Scatterv_init(r->send, r->out.counts, r->out.displs, r->type, r->recv, r->in.counts[0],
                      r->type, r->root, r->comm, MPI_INFO_NULL, request);
}

static void scatterv(struct bench_run *r)
{
    overlap_run_persistent(r, init); /* overlap.h has both passes */
}

static const struct bench bench = {
    .name = "scatterv_persistent",
    .about = "time of a persistent MPI_Scatterv: start and wait",
    .title = "OSU MPI@ Scatterv Persistent Latency Test",
    .ranks = { .min = 2 },
    .sizes = { .min = 1, .max = 1 * MiB },
    .counts = &counts_collective,
    .takes =
        TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK | TAKES_IN_PLACE | TAKES_ROOT,
    .needs = NEEDS_PERSISTENT_COLLECTIVES,
    .flow = &flow_scatter_v,
    .loop = BINDS_BUFFERS | STARTS_AGAIN,
    .timed = TIMED_ALL,
    .run = scatterv,
    .report = &report_persistent,
    .family = &persistent_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
