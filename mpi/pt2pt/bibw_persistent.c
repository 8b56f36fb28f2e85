/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bibw_persistent - bandwidth in both directions, with persistent requests
 *
 *     rank 0   start recv x window <========= start send x window   rank 1
 *              start send x window =========> start recv x window
 *              waitall                        waitall
 *
 * Sample   one window in either direction, timed on rank 0; the requests are
 *          created untimed, once for each batch of iterations.
 * Printed  2 * window * size / mean time, in MB/s (10^6 bytes).
 */
#include "bench.h"

static void both_ways(struct bench_run *r)
{
    const int window = r->window, peer = r->peer;

    for (int i = 0; i < window; i++) {
        MPI_Recv_init(bench_recv_slot(r, i), r->count, r->type, peer, BENCH_TAG, r->comm,
                      &r->request[i]);
        MPI_Send_init(bench_send_slot(r, i), r->count, r->type, peer, BENCH_TAG, r->comm,
                      &r->request[window + i]);
    }
    while (bench_repeat(r)) {
        MPI_Startall(2 * window, r->request);
        MPI_Waitall(2 * window, r->request, MPI_STATUSES_IGNORE);
    }
    for (int i = 0; i < 2 * window; i++)
        MPI_Request_free(&r->request[i]);
}

static const struct bench bench = {
    .name = "bibw_persistent",
    .about = "bandwidth in both directions, with persistent requests",
    .title = "OSU MPI@ Bi-Directional Bandwidth Persistent Test",
    .ranks = { .min = 2, .max = 2 },
    .sizes = { .min = 1, .max = 4 * MiB },
    .counts = &counts_bandwidth,
    .takes =
        TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK | TAKES_WINDOW | TAKES_BUFFERS,
    .idle = "t",
    .flow = &flow_both_ways,
    .loop = BACK_TO_BACK | BINDS_BUFFERS | STARTS_AGAIN,
    .timed = TIMED_RANK_0,
    .run = both_ways,
    .report = &report_both_ways,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
