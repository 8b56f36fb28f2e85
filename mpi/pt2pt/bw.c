/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bw - bandwidth in one direction, with a window of messages in flight
 *
 *     rank 0   isend x window ==========> waitall          rank 1
 *              waitall                    irecv x window, for the next iteration
 *              recv <------------------- send (empty)
 *
 * Sample   one window and its acknowledgement, timed on rank 0. Every receive
 *          is posted before its message is sent, so no message arrives
 *          unexpected; with --protocol omb some may.
 * Printed  window * size / mean time, in MB/s (10^6 bytes).
 *
 * A little longer than 60 lines, because receives are posted in advance.
 */
#include "bench.h"

static void post_receives(struct bench_run *r)
{
    for (int i = 0; i < r->window; i++)
        MPI_Irecv(bench_recv_slot(r, i), r->count, r->type, r->peer, BENCH_TAG, r->comm,
                  &r->request[i]);
}

static void stream(struct bench_run *r)
{
    const int window = r->window, peer = r->peer;

    if (r->rank == 0) {
        while (bench_repeat(r)) {
            for (int i = 0; i < window; i++)
                MPI_Isend(bench_send_slot(r, i), r->count, r->type, peer, BENCH_TAG, r->comm,
                          &r->request[i]);
            MPI_Waitall(window, r->request, MPI_STATUSES_IGNORE);
            MPI_Recv(NULL, 0, MPI_BYTE, peer, BENCH_ACK_TAG, r->comm, MPI_STATUS_IGNORE);
        }
    } else {
        if (!r->as_omb)
            post_receives(r);
        while (bench_repeat(r)) {
            if (r->as_omb)
                post_receives(r);
            MPI_Waitall(window, r->request, MPI_STATUSES_IGNORE);
            if (!r->as_omb && !bench_last(r))
                post_receives(r);
            MPI_Send(NULL, 0, MPI_BYTE, peer, BENCH_ACK_TAG, r->comm);
        }
    }
}

static const struct bench bench = {
    .name = "bw",
    .about = "bandwidth in one direction, with a window of messages in flight",
    .title = "OSU MPI@ Bandwidth Test",
    .ranks = { .min = 2, .max = 2 },
    .sizes = { .min = 1, .max = 4 * MiB },
    .counts = &counts_bandwidth,
    .takes =
        TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK | TAKES_WINDOW | TAKES_BUFFERS,
    .idle = "t",
    .flow = &flow_stream,
    .loop = BACK_TO_BACK | POSTS_AHEAD,
    .timed = TIMED_RANK_0,
    .run = stream,
    .report = &report_bandwidth,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
