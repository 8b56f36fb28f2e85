/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bibw - bandwidth in both directions at once, a window of messages each way
 *
 *     rank 0   irecv x window <========= isend x window   rank 1
 *              isend x window =========> irecv x window
 *              waitall                   waitall
 *
 * Sample   one window in either direction, timed on rank 0.
 * Printed  2 * window * size / mean time, in MB/s (10^6 bytes).
 */
#include "bench.h"

static void both_ways(struct bench_run *r)
{
    const int window = r->window, peer = r->peer;

    while (bench_repeat(r)) {
        for (int i = 0; i < window; i++)
            MPI_Irecv(bench_recv_slot(r, i), r->count, r->type, peer, BENCH_TAG, r->comm,
                      &r->request[i]);
        for (int i = 0; i < window; i++)
            MPI_Isend(bench_send_slot(r, i), r->count, r->type, peer, BENCH_TAG, r->comm,
                      &r->request[window + i]);
        MPI_Waitall(2 * window, r->request, MPI_STATUSES_IGNORE);
    }
}

static const struct bench bench = {
    .name = "bibw",
    .about = "bandwidth in both directions at once, a window of messages each "
             "way",
    .title = "OSU MPI@ Bi-Directional Bandwidth Test",
    .ranks = { .min = 2, .max = 2 },
    .sizes = { .min = 1, .max = 4 * MiB },
    .counts = &counts_bandwidth,
    .takes =
        TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK | TAKES_WINDOW | TAKES_BUFFERS,
    .idle = "t",
    .flow = &flow_both_ways,
    .loop = BACK_TO_BACK,
    .timed = TIMED_RANK_0,
    .run = both_ways,
    .report = &report_both_ways,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
