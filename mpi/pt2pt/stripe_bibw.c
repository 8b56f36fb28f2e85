/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stripe_bibw - bandwidth both ways of messages cut into one stripe per pair
 *
 *     ranks 0 ... k-1   isend, irecv x window <=====> irecv, isend   ranks k ...
 *                       waitall, announce             waitall, announce
 *             rank 0    sendrecv <------------------> sendrecv       rank k
 *                       release the others            release the others
 *
 * Sample   a window of messages in either direction, timed on rank 0 until all
 *          stripes have arrived and all ranks know it; stripes.h says how they
 *          learn it.
 * Printed  2 * window * size / mean time, in MB/s (10^6 bytes); the size is
 *          that of whole messages.
 */
#include "bench.h"
#include "stripes/stripes.h"

static void stream(struct bench_run *r)
{
    const int peer = r->peer, window = r->window, stripes = stripes_of(r)->n;

    while (stripes_iteration(r, stripes)) {
        for (int i = 0; i < window; i++)
            MPI_Irecv(bench_recv_slot(r, i), r->count, r->type, peer, BENCH_TAG, r->comm,
                      &r->request[i]);
        for (int i = 0; i < window; i++)
            MPI_Isend(bench_send_slot(r, i), r->count, r->type, peer, BENCH_TAG, r->comm,
                      &r->request[window + i]);
        MPI_Waitall(2 * window, r->request, MPI_STATUSES_IGNORE);
        stripes_announce(r, stripes);
        if (stripes_leads(r))
            MPI_Sendrecv(NULL, 0, MPI_BYTE, peer, BENCH_ACK_TAG, NULL, 0, MPI_BYTE, peer,
                         BENCH_ACK_TAG, r->comm, MPI_STATUS_IGNORE);
        stripes_release(r, stripes);
    }
}

static const struct bench bench = {
    .name = "stripe_bibw",
    .about = "bandwidth both ways of messages cut into one stripe per pair",
    .title = "MPI@ Bi-Directional Striping Bandwidth Test",
    .ranks = { .min = 2, .even = true },
    .sizes = { .min = 1, .max = 4 * MiB },
    .counts = &counts_bandwidth,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_CHECK | TAKES_WINDOW | TAKES_BUFFERS,
    .flow = &flow_stripes_both_ways,
    .loop = BACK_TO_BACK,
    .timed = TIMED_RANK_0,
    .run = stream,
    .report = &report_both_ways,
    .family = &stripes_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
