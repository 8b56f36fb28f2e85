/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * latency - one-way latency between two ranks (half the round-trip time)
 *
 *     rank 0   send ----------> recv   rank 1
 *              recv <---------- send
 *
 * Sample   one round trip: the time of several on rank 0, divided by their number.
 * Printed  half of the mean round trip, in us.
 * Outside  warm-up and verification, which come before. Both ranks are
 *          synchronized before each batch of round trips, and its first sample
 *          does not count. Between two round trips only the loop control of
 *          loop.h runs. It reads the clock only every few round trips, so that
 *          the reading does not inflate short times.
 */
#include "bench.h"

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
    .name = "latency",
    .about = "one-way latency between two ranks (half the round-trip time)",
    .title = "OSU MPI@ Latency Test",
    .ranks = { .min = 2, .max = 2 },
    .sizes = { .min = 1, .max = 4 * MiB },
    .counts = &counts_latency,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK,
    .idle = "b",
    .flow = &flow_ping_pong,
    .loop = BACK_TO_BACK,
    .timed = TIMED_RANK_0,
    .run = ping_pong,
    .report = &report_round_trip,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
