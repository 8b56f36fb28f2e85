/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alltoall_persistent - time of a persistent MPI_Alltoall: start and wait
 *
 * Sample   one start and wait on every rank, after all ranks were synchronized;
 *          the request is created untimed, once for each batch of iterations.
 * Printed  mean over iterations, then over ranks, in us.
 * Size     bytes from each rank to each rank.
 */
#include "bench.h"
#include "overlap/overlap.h"

static void init(struct bench_run *r, MPI_Request *request)
{
    MPI_Alltoall_init(r->send, r->count, r->type, r->recv, r->count, r->type, r->comm,
                      MPI_INFO_NULL, request);
}

static void alltoall(struct bench_run *r)
{
    overlap_run_persistent(r, init); /* overlap.h has both passes */
}

static const struct bench bench = {
    .name = "alltoall_persistent",
    .about = "time of a persistent MPI_Alltoall: start and wait",
    .title = "OSU MPI@ All-to-All Personalized Exchange Persistent Latency Test",
    .ranks = { .min = 2 },
    .sizes = { .min = 1, .max = 1 * MiB },
    .counts = &counts_collective,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK | TAKES_IN_PLACE,
    .needs = NEEDS_PERSISTENT_COLLECTIVES,
    .flow = &flow_exchange_all,
    .loop = BINDS_BUFFERS | STARTS_AGAIN,
    .timed = TIMED_ALL,
    .run = alltoall,
    .report = &report_persistent,
    .family = &persistent_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
