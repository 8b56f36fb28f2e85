/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * buffer_reuse_bw - bandwidth in one direction as a function of buffer reuse
 *
 *     rank 0   isend x window, each from buffer i =====> irecv x window   rank 1
 *              recv <----------------------------------- send (empty)
 *
 * Sample   one window and its acknowledgement, timed on rank 0; reuse.h says
 *          which buffer is number i.
 * Printed  window * size / mean time, in MB/s (10^6 bytes), for each value of
 *          the parameter.
 */
#include "bench.h"
#include "reuse/reuse.h"

static void stream(struct bench_run *r)
{
    struct reuse_side *from = &reuse_of(r)->send, *into = &reuse_of(r)->recv;
    const int peer = r->peer, n = r->window;

    while (bench_repeat(r)) {
        if (r->rank == 0) {
            for (int i = 0; i < n; i++)
                MPI_Isend(bench_send_slot(r, reuse_next(from)), r->count, r->type, peer, BENCH_TAG,
                          r->comm, &r->request[i]);
            MPI_Waitall(n, r->request, MPI_STATUSES_IGNORE);
            MPI_Recv(NULL, 0, MPI_BYTE, peer, BENCH_ACK_TAG, r->comm, MPI_STATUS_IGNORE);
        } else {
            for (int i = 0; i < n; i++)
                MPI_Irecv(bench_recv_slot(r, reuse_next(into)), r->count, r->type, peer, BENCH_TAG,
                          r->comm, &r->request[i]);
            MPI_Waitall(n, r->request, MPI_STATUSES_IGNORE);
            MPI_Send(NULL, 0, MPI_BYTE, peer, BENCH_ACK_TAG, r->comm);
        }
    }
}

static const struct bench bench = {
    .name = "buffer_reuse_bw",
    .about = "bandwidth in one direction as a function of buffer reuse",
    .title = "MPI@ Buffer Reuse Bandwidth Test",
    .ranks = { .min = 2, .max = 2 },
    .sizes = { .min = 512 * KiB, .max = 512 * KiB },
    .counts = &counts_bandwidth,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK | TAKES_WINDOW,
    .parameter = REUSE_BUFFERS,
    .flow = &flow_reuse_stream,
    .loop = BACK_TO_BACK | BINDS_BUFFERS,
    .timed = TIMED_RANK_0,
    .run = stream,
    .report = &report_bandwidth,
    .family = &reuse_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
