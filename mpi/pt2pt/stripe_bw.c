/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stripe_bw - bandwidth of messages cut into one stripe per pair of ranks
 *
 *     ranks 0 ... k-1   isend x window ========> irecv x window   ranks k ... 2k-1
 *                       waitall                  waitall, announce to rank k
 *             rank 0    recv, release others <-- send (empty)     rank k
 *
 * Sample   one window, timed on rank 0 until all stripes have arrived and are
 *          announced.
 * Printed  window * size of whole messages / mean time, in MB/s (10^6 bytes).
 *
 * The program is longer than 60 lines, since stripes are announced and released.
 */
#include "bench.h"
#include "stripes/stripes.h"

static void stream(struct bench_run *r)
{
    const int peer = r->peer, window = r->window, stripes = stripes_of(r)->n;

    while (stripes_iteration(r, stripes)) {
        if (r->sender) {
            for (int i = 0; i < window; i++)
                MPI_Isend(bench_send_slot(r, i), r->count, r->type, peer, BENCH_TAG, r->comm,
                          &r->request[i]);
            MPI_Waitall(window, r->request, MPI_STATUSES_IGNORE);
            if (stripes_leads(r))
                MPI_Recv(NULL, 0, MPI_BYTE, peer, BENCH_ACK_TAG, r->comm, MPI_STATUS_IGNORE);
            stripes_release(r, stripes);
        } else {
            for (int i = 0; i < window; i++)
                MPI_Irecv(bench_recv_slot(r, i), r->count, r->type, peer, BENCH_TAG, r->comm,
                          &r->request[i]);
            MPI_Waitall(window, r->request, MPI_STATUSES_IGNORE);
            stripes_announce(r, stripes);
            if (stripes_leads(r))
                MPI_Send(NULL, 0, MPI_BYTE, peer, BENCH_ACK_TAG, r->comm);
        }
    }
}

static const struct bench bench = {
    .name = "stripe_bw",
    .about = "bandwidth of messages cut into one stripe per pair of ranks",
    .title = "MPI@ Striping Bandwidth Test",
    .ranks = { .min = 2, .even = true },
    .sizes = { .min = 1, .max = 4 * MiB },
    .counts = &counts_bandwidth,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_CHECK | TAKES_WINDOW | TAKES_BUFFERS,
    .flow = &flow_stripes,
    .loop = BACK_TO_BACK,
    .timed = TIMED_RANK_0,
    .run = stream,
    .report = &report_bandwidth,
    .family = &stripes_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
