/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * barrier_persistent - time of a persistent MPI_Barrier: start and wait
 *
 * Sample   one start and wait on every rank, after all ranks were synchronized;
 *          the request is created untimed, once for each batch of iterations.
 * Printed  mean over iterations, then over ranks, in us.
 */
#include "bench.h"
#include "overlap/overlap.h"

static void init(struct bench_run *r, MPI_Request *request)
{
    MPI_Barrier_init(r->comm, MPI_INFO_NULL, request);
}

static void barrier(struct bench_run *r)
{
    overlap_run_persistent(r, init); /* overlap.h has both passes */
}

static const struct bench bench = {
    .name = "barrier_persistent",
    .about = "time of a persistent MPI_Barrier: start and wait",
    .title = "OSU MPI@ Barrier Persistent Latency Test",
    .ranks = { .min = 2 },
    .counts = &counts_collective,
    .takes = TAKES_ITERATIONS,
    .idle = "mMu",
    .needs = NEEDS_PERSISTENT_COLLECTIVES,
    .flow = &flow_barrier,
    .loop = BINDS_BUFFERS | STARTS_AGAIN,
    .timed = TIMED_ALL,
    .run = barrier,
    .report = &report_persistent_alone,
    .family = &persistent_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
