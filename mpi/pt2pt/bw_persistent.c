/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bw_persistent - bandwidth in one direction, with persistent requests
 *
 *     rank 0   start x window ==========> waitall          rank 1
 *              waitall                    start x window, for the next iteration
 *              recv <------------------- send (empty)
 *
 * Sample   one window and its acknowledgement, timed on rank 0. Every receive
 *          is started before its message is sent, but not with --protocol omb.
 *          The requests are created untimed, once for each batch of iterations.
 * Printed  window * size / mean time, in MB/s (10^6 bytes).
 *
 * A little longer than 60 lines, because receives are started in advance.
 */
#include "bench.h"

static void stream(struct bench_run *r)
{
    const int window = r->window, peer = r->peer;

    if (r->rank == 0) {
        for (int i = 0; i < window; i++)
            MPI_Send_init(bench_send_slot(r, i), r->count, r->type, peer, BENCH_TAG, r->comm,
                          &r->request[i]);
        while (bench_repeat(r)) {
            MPI_Startall(window, r->request);
            MPI_Waitall(window, r->request, MPI_STATUSES_IGNORE);
            MPI_Recv(NULL, 0, MPI_BYTE, peer, BENCH_ACK_TAG, r->comm, MPI_STATUS_IGNORE);
        }
    } else {
        for (int i = 0; i < window; i++)
            MPI_Recv_init(bench_recv_slot(r, i), r->count, r->type, peer, BENCH_TAG, r->comm,
                          &r->request[i]);
        if (!r->as_omb)
            MPI_Startall(window, r->request);
        while (bench_repeat(r)) {
            if (r->as_omb)
                MPI_Startall(window, r->request);
            MPI_Waitall(window, r->request, MPI_STATUSES_IGNORE);
            if (!r->as_omb && !bench_last(r))
                MPI_Startall(window, r->request);
            MPI_Send(NULL, 0, MPI_BYTE, peer, BENCH_ACK_TAG, r->comm);
        }
    }
    for (int i = 0; i < window; i++)
        MPI_Request_free(&r->request[i]);
}

static const struct bench bench = {
    .name = "bw_persistent",
    .about = "bandwidth in one direction, with persistent requests",
    .title = "OSU MPI@ Bandwidth Persistent Test",
    .ranks = { .min = 2, .max = 2 },
    .sizes = { .min = 1, .max = 4 * MiB },
    .counts = &counts_bandwidth,
    .takes =
        TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK | TAKES_WINDOW | TAKES_BUFFERS,
    .idle = "t",
    .flow = &flow_stream,
    .loop = BACK_TO_BACK | BINDS_BUFFERS | POSTS_AHEAD,
    .timed = TIMED_RANK_0,
    .run = stream,
    .report = &report_bandwidth,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
