/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mbw_mr - bandwidth and message rate of many pairs of ranks at once
 *
 *     rank i   isend x window ==========> waitall   rank i + pairs
 *              waitall
 *              recv <------------------- send (empty)
 *
 * Sample   one window and its acknowledgement, timed on each sender. All ranks
 *          are synchronized once all receives are posted; ranks without a
 *          partner (-p) only take part in that.
 * Printed  pairs * window * size / mean time of the senders, in MB/s (10^6
 *          bytes), and messages per second.
 *
 * A little longer than 60 lines: with --protocol omb the receives are posted
 * after the start, as OMB does.
 */
#include "bench.h"
#include "pairs/pairs.h"

static void streams(struct bench_run *r)
{
    const int window = r->window, peer = r->peer;

    while (bench_next(r)) {
        if (r->as_omb)
            bench_sync(r);
        for (int i = 0; !r->sender && i < window; i++)
            MPI_Irecv(bench_recv_slot(r, i), r->count, r->type, peer, BENCH_TAG, r->comm,
                      &r->request[i]);
        if (!r->as_omb)
            bench_sync(r);
        bench_start(r);
        for (int i = 0; r->sender && i < window; i++)
            MPI_Isend(bench_send_slot(r, i), r->count, r->type, peer, BENCH_TAG, r->comm,
                      &r->request[i]);
        MPI_Waitall(window, r->request, MPI_STATUSES_IGNORE);
        if (r->sender)
            MPI_Recv(NULL, 0, MPI_BYTE, peer, BENCH_ACK_TAG, r->comm, MPI_STATUS_IGNORE);
        else
            MPI_Send(NULL, 0, MPI_BYTE, peer, BENCH_ACK_TAG, r->comm);
        bench_stop(r);
    }
}

static const struct bench bench = {
    .name = "mbw_mr",
    .about = "bandwidth and message rate of many pairs of ranks at once",
    .title = "OSU MPI Multiple Bandwidth / Message Rate Test",
    .ranks = { .min = 2, .even = true },
    .sizes = { .min = 1, .max = 4 * MiB },
    .counts = &counts_message_rate,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK | TAKES_WINDOW |
             TAKES_BUFFERS | TAKES_PAIRS | TAKES_PAIRING,
    .flow = &flow_stream,
    .timed = TIMED_SENDERS,
    .run = streams,
    .report = &report_message_rate,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
