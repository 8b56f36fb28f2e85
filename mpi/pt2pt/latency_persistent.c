/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * latency_persistent - one-way latency with persistent requests
 *
 *     rank 0   start, wait: send ----------> start, wait: recv   rank 1
 *              start, wait: recv <---------- start, wait: send
 *
 * Sample   one round trip, timed on rank 0; the requests are created untimed,
 *          once for each batch of iterations.
 * Printed  half of it, in us, mean over all iterations.
 */
#include "bench.h"

static void ping_pong(struct bench_run *r)
{
    MPI_Request ping, pong;

    MPI_Send_init(r->send, r->count, r->type, r->peer, BENCH_TAG, r->comm,
                  r->sender ? &ping : &pong);
    MPI_Recv_init(r->recv, r->count, r->type, r->peer, BENCH_TAG, r->comm,
                  r->sender ? &pong : &ping);
    while (bench_repeat(r)) {
        MPI_Start(&ping);
        MPI_Wait(&ping, MPI_STATUS_IGNORE);
        MPI_Start(&pong);
        MPI_Wait(&pong, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&ping);
    MPI_Request_free(&pong);
}

static const struct bench bench = {
    .name = "latency_persistent",
    .about = "one-way latency with persistent requests",
    .title = "OSU MPI@ Latency Persistent Test",
    .ranks = { .min = 2, .max = 2 },
    .sizes = { .min = 1, .max = 4 * MiB },
    .counts = &counts_latency,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK,
    .idle = "b",
    .flow = &flow_ping_pong,
    .loop = BACK_TO_BACK | BINDS_BUFFERS | STARTS_AGAIN,
    .timed = TIMED_RANK_0,
    .run = ping_pong,
    .report = &report_round_trip,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
