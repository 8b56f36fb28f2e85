/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bilatency - latency with messages in both directions at once
 *
 *     rank 0   isend ---\ /--- isend   rank 1
 *              recv  <---X---> recv
 *              wait             wait
 *
 * Sample   one message in each direction at once, until both have arrived,
 *          timed on rank 0. A rank begins an iteration when the message of the
 *          iteration before has arrived, so both begin within the time of one
 *          message.
 * Printed  the whole sample, in us, mean over all iterations. Compare it with
 *          latency, where each message has the path to itself.
 */
#include "bench.h"

static void exchange(struct bench_run *r)
{
    const int peer = r->peer;
    MPI_Request request;

    while (bench_repeat(r)) {
        MPI_Isend(r->send, r->count, r->type, peer, BENCH_TAG, r->comm, &request);
        MPI_Recv(r->recv, r->count, r->type, peer, BENCH_TAG, r->comm, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

static const struct bench bench = {
    .name = "bilatency",
    .about = "latency with messages in both directions at once",
    .title = "MPI@ Bi-Directional Latency Test",
    .ranks = { .min = 2, .max = 2 },
    .sizes = { .min = 1, .max = 4 * MiB },
    .counts = &counts_latency,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK,
    .flow = &flow_ping_pong,
    .loop = BACK_TO_BACK,
    .timed = TIMED_RANK_0,
    .run = exchange,
    .report = &report_exchange,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
