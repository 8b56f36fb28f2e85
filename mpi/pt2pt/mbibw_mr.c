/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mbibw_mr - bandwidth and message rate of many pairs of ranks, both ways at once
 *
 *     rank i   irecv x window <========== isend x window   rank i + pairs
 *              isend x window ==========> irecv x window
 *              waitall                    waitall
 *
 * Sample   one window in either direction, timed on the first rank of each
 *          pair. All ranks are synchronized once all receives are posted; ranks
 *          without a partner (-p) only take part in that.
 * Printed  2 * pairs * window * size / mean time of the first ranks, in MB/s
 *          (10^6 bytes), and messages per second.
 */
#include "bench.h"
#include "pairs/pairs.h"

static void streams_both_ways(struct bench_run *r)
{
    const int window = r->window, peer = r->peer;

    while (bench_next(r)) {
        for (int i = 0; i < window; i++)
            MPI_Irecv(bench_recv_slot(r, i), r->count, r->type, peer, BENCH_TAG, r->comm,
                      &r->request[i]);
        bench_sync(r);
        bench_start(r);
        for (int i = 0; i < window; i++)
            MPI_Isend(bench_send_slot(r, i), r->count, r->type, peer, BENCH_TAG, r->comm,
                      &r->request[window + i]);
        MPI_Waitall(2 * window, r->request, MPI_STATUSES_IGNORE);
        bench_stop(r);
    }
}

static const struct bench bench = {
    .name = "mbibw_mr",
    .about = "bandwidth and message rate of many pairs of ranks, both ways at "
             "once",
    .title = "MPI Multiple Bi-Directional Bandwidth / Message Rate Test",
    .ranks = { .min = 2, .even = true },
    .sizes = { .min = 1, .max = 4 * MiB },
    .counts = &counts_message_rate,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK | TAKES_WINDOW |
             TAKES_BUFFERS | TAKES_PAIRS | TAKES_PAIRING,
    .flow = &flow_both_ways,
    .timed = TIMED_SENDERS,
    .run = streams_both_ways,
    .report = &report_rate_both_ways,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
