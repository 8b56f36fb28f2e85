/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * latency_mp - one-way latency between two ranks that have forked
 *
 *     rank 0, with N children   send ----------> recv   rank 1, with M
 *                               recv <---------- send
 *
 * Sample   one round trip, timed on rank 0. The children (-t) are forked after
 *          MPI_Init and after the buffers were allocated, and do nothing.
 * Printed  half of it, in us, mean over all iterations.
 */
#include "bench.h"
#include "processes/processes.h"

static void ping_pong(struct bench_run *r)
{
    const int peer = r->peer;

    if (r->rank == 0) {
        while (bench_repeat(r)) {
            MPI_Send(r->send, r->count, r->type, peer, BENCH_TAG, r->comm);
            MPI_Recv(r->recv, r->count, r->type, peer, BENCH_TAG, r->comm, MPI_STATUS_IGNORE);
        }
    } else {
        while (bench_repeat(r)) {
            MPI_Recv(r->recv, r->count, r->type, peer, BENCH_TAG, r->comm, MPI_STATUS_IGNORE);
            MPI_Send(r->send, r->count, r->type, peer, BENCH_TAG, r->comm);
        }
    }
}

static const struct bench bench = {
    .name = "latency_mp",
    .about = "one-way latency between two ranks that have forked",
    .title = "OSU MPI@ Multi-process Latency Test",
    .ranks = { .min = 2, .max = 2 },
    .sizes = { .min = 1, .max = 4 * MiB },
    .counts = &counts_latency,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK,
    .needs = NEEDS_PROCESSES,
    .flow = &flow_ping_pong,
    .loop = BACK_TO_BACK,
    .timed = TIMED_RANK_0,
    .run = ping_pong,
    .report = &report_forked,
    .family = &processes_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
