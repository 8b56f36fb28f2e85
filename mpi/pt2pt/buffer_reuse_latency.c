/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * buffer_reuse_latency - one-way latency as a function of buffer reuse
 *
 *     rank 0   send from buffer i ----> recv into buffer i   rank 1
 *              recv into buffer i <---- send from buffer i
 *
 * Sample   one round trip, timed on rank 0; reuse.h says which buffer is number
 *          i.
 * Printed  half of it, in us, mean over all iterations, for each number of
 *          buffers, or for each share of messages that use one and the same
 *          buffer.
 */
#include "bench.h"
#include "reuse/reuse.h"

static void ping_pong(struct bench_run *r)
{
    struct reuse_side *from = &reuse_of(r)->send, *into = &reuse_of(r)->recv;
    const int peer = r->peer;

    if (r->rank == 0) {
        while (bench_repeat(r)) {
            MPI_Send(bench_send_slot(r, reuse_next(from)), r->count, r->type, peer, BENCH_TAG,
                     r->comm);
            MPI_Recv(bench_recv_slot(r, reuse_next(into)), r->count, r->type, peer, BENCH_TAG,
                     r->comm, MPI_STATUS_IGNORE);
        }
    } else {
        while (bench_repeat(r)) {
            MPI_Recv(bench_recv_slot(r, reuse_next(into)), r->count, r->type, peer, BENCH_TAG,
                     r->comm, MPI_STATUS_IGNORE);
            MPI_Send(bench_send_slot(r, reuse_next(from)), r->count, r->type, peer, BENCH_TAG,
                     r->comm);
        }
    }
}

static const struct bench bench = {
    .name = "buffer_reuse_latency",
    .about = "one-way latency as a function of buffer reuse",
    .title = "MPI@ Buffer Reuse Latency Test",
    .ranks = { .min = 2, .max = 2 },
    .sizes = { .min = 4 * KiB, .max = 4 * KiB },
    .counts = &counts_latency,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK,
    .parameter = REUSE_BUFFERS,
    .flow = &flow_reuse_ping_pong,
    .loop = BACK_TO_BACK | BINDS_BUFFERS,
    .timed = TIMED_RANK_0,
    .run = ping_pong,
    .report = &report_round_trip,
    .family = &reuse_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
