/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * allgatherv_persistent - time of a persistent MPI_Allgatherv: start and wait
 *
 * Sample   one start and wait on every rank, after all ranks were synchronized;
 *          the request is created untimed, once for each batch of iterations.
 * Printed  mean over iterations, then over ranks, in us.
 * Size     bytes that each rank contributes; all counts are equal.
 */
#include "bench.h"
#include "collective/collective.h"

static void allgatherv(struct bench_run *r)
{
    MPI_Request request;

    MPI_Allgatherv_init(r->send, r->count, r->type, r->recv, r->counts,
                        r->displs, r->type, r->comm, MPI_INFO_NULL, &request);
    while (bench_next(r)) {
        bench_sync(r);
        bench_start(r);
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        bench_stop(r);
    }
    MPI_Request_free(&request);
}

static const struct bench bench = {
    .name = "allgatherv_persistent",
    .about = "time of a persistent MPI_Allgatherv: start and wait",
    .title = "OSU MPI@ Allgatherv Persistent Latency Test",
    .ranks = { .min = 2 },
    .sizes = { .min = 1, .max = 1 * MiB },
    .counts = &counts_collective,
    .takes =
        TAKES_SIZES | TAKES_LAPS | TAKES_TYPE | TAKES_CHECK | TAKES_IN_PLACE,
    .needs = NEEDS_PERSISTENT_COLLECTIVES,
    .flow = &flow_gather_all_v,
    .loop = BINDS_BUFFERS,
    .timed = TIMED_ALL,
    .run = allgatherv,
    .report = &report_collective,
    .family = &collective_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
