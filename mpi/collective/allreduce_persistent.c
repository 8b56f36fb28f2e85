/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * allreduce_persistent - time of a persistent MPI_Allreduce: start and wait
 *
 * Sample   one start and wait on every rank, after all ranks were synchronized;
 *          the request is created untimed, once for each batch of iterations.
 * Printed  mean over iterations, then over ranks, in us.
 * Size     bytes of the vector that each rank contributes.
 */
#include "bench.h"
#include "overlap/overlap.h"

static void init(struct bench_run *r, MPI_Request *request)
{
    MPI_Allreduce_init(r->send, r->recv, r->count, r->type, r->op, r->comm, MPI_INFO_NULL, request);
}

static void allreduce(struct bench_run *r)
{
    overlap_run_persistent(r, init); /* overlap.h has both passes */
}

static const struct bench bench = {
    .name = "allreduce_persistent",
    .about = "time of a persistent MPI_Allreduce: start and wait",
    .title = "OSU MPI@ Allreduce Persistent Latency Test",
    .ranks = { .min = 2 },
    .sizes = { .min = 1, .max = 1 * MiB },
    .counts = &counts_collective,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK | TAKES_IN_PLACE,
    .needs = NEEDS_PERSISTENT_COLLECTIVES,
    .flow = &flow_reduce_all,
    .loop = BINDS_BUFFERS | STARTS_AGAIN,
    .timed = TIMED_ALL,
    .run = allreduce,
    .report = &report_persistent,
    .family = &persistent_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
