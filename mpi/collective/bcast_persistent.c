/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bcast_persistent - time of a persistent MPI_Bcast: start and wait
 *
 * Sample   one start and wait on every rank, after all ranks were synchronized;
 *          the request is created untimed, once for each batch of iterations.
 * Printed  mean over iterations, then over ranks, in us; the root may finish
 *          early.
 * Size     bytes of the message.
 */
#include "bench.h"
#include "overlap/overlap.h"

static void init(struct bench_run *r, MPI_Request *request)
{
    MPI_Bcast_init(r->recv, r->count, r->type, r->root, r->comm, MPI_INFO_NULL, request);
}

static void bcast(struct bench_run *r)
{
    overlap_run_persistent(r, init); /* overlap.h has both passes */
}

static const struct bench bench = {
    .name = "bcast_persistent",
    .about = "time of a persistent MPI_Bcast: start and wait",
    .title = "OSU MPI@ Broadcast Persistent Latency Test",
    .ranks = { .min = 2 },
    .sizes = { .min = 1, .max = 1 * MiB },
    .counts = &counts_collective,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK | TAKES_ROOT,
    .needs = NEEDS_PERSISTENT_COLLECTIVES,
    .flow = &flow_broadcast,
    .loop = BINDS_BUFFERS | STARTS_AGAIN,
    .timed = TIMED_ALL,
    .run = bcast,
    .report = &report_persistent,
    .family = &persistent_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
