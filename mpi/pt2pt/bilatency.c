/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bilatency - latency with messages in both directions at once
 *
 *     rank 0   isend ---\ /--- isend   rank 1
 *              recv  <---X---> recv
 *              wait             wait
 *
 * Sample   one message each way at once, until both have arrived, seen by rank
 *          0: of two ranks that begin a lap when the other's message of the lap
 *          before has come, so that they begin within a message's time.
 * Printed  the whole of it, in us, mean over all laps; to be compared with
 *          latency, half of whose lap is a message that has the way to itself.
 */
#include "bench.h"

static void exchange(struct bench_run *r)
{
    const int peer = r->peer;
    MPI_Request request;

    while (bench_lap(r)) {
        MPI_Isend(r->send, r->count, r->type, peer, BENCH_TAG, r->comm,
                  &request);
        MPI_Recv(r->recv, r->count, r->type, peer, BENCH_TAG, r->comm,
                 MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

static const struct bench bench = {
    .name = "bilatency",
    .about = "latency with messages in both directions at once",
    .title = "OSU MPI@ Bi-Directional Latency Test",
    .ranks = { .min = 2, .max = 2 },
    .sizes = { .min = 1, .max = 4 * MiB },
    .counts = &counts_latency,
    .takes = TAKES_SIZES | TAKES_LAPS | TAKES_TYPE | TAKES_CHECK,
    .flow = &flow_ping_pong,
    .loop = LAPS,
    .timed = TIMED_RANK_0,
    .run = exchange,
    .report = &report_exchange,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
