/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * multi_lat - one-way latency of all pairs of ranks at once
 *
 *     rank i   send ----------> recv   rank i + P/2
 *              recv <---------- send
 *
 * Sample   one round trip, timed on each sender, after all pairs were
 *          synchronized.
 * Printed  half of it, in us, mean over iterations and pairs.
 */
#include "bench.h"

static void ping_pongs(struct bench_run *r)
{
    const int peer = r->peer;

    while (bench_next(r)) {
        bench_sync(r);
        bench_start(r);
        if (r->sender) {
            MPI_Send(r->send, r->count, r->type, peer, BENCH_TAG, r->comm);
            MPI_Recv(r->recv, r->count, r->type, peer, BENCH_TAG, r->comm, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(r->recv, r->count, r->type, peer, BENCH_TAG, r->comm, MPI_STATUS_IGNORE);
            MPI_Send(r->send, r->count, r->type, peer, BENCH_TAG, r->comm);
        }
        bench_stop(r);
    }
}

static const struct bench bench = {
    .name = "multi_lat",
    .about = "one-way latency of all pairs of ranks at once",
    .title = "OSU MPI Multi Latency Test",
    .ranks = { .min = 2, .even = true },
    .sizes = { .min = 1, .max = 4 * MiB },
    .counts = &counts_latency,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK | TAKES_PAIRING,
    .idle = "b",
    .flow = &flow_ping_pong,
    .timed = TIMED_SENDERS,
    .run = ping_pongs,
    .report = &report_half_round_trip,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
