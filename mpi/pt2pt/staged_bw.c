/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * staged_bw - bandwidth between GPUs, direct and staged in the host
 *
 *     rank 0   ([copy out] isend) x window =====> irecv x window        rank 1
 *              waitall                            (wait [copy in]) x window
 *              recv <---------------------------- send (empty)
 *
 * direct     MPI is given the buffers as they are, one for each message of the
 *            window, as with bw -b multiple.
 * staged     the benchmark copies each message to pinned host memory before it
 *            is sent, and from there after it was received. The copies of one
 *            message overlap with the transfers of others.
 * pipelined  messages larger than --chunk are staged in chunks, and all copies
 *            are begun at once.
 *
 * Sample   one window with its copies, and the acknowledgement, timed on rank
 *          0.
 * Printed  window * size / mean time, in MB/s (10^6 bytes); after the table all
 *          three next to each other, and from which size on direct is faster or
 *          slower than the better of the staged copies.
 *
 * A little longer than 60 lines: it measures three ways.
 */
#include "bench.h"
#include "staging/staging.h"

static void acknowledge(struct bench_run *r)
{
    if (r->rank == 0)
        MPI_Recv(NULL, 0, MPI_BYTE, r->peer, BENCH_ACK_TAG, r->comm, MPI_STATUS_IGNORE);
    else
        MPI_Send(NULL, 0, MPI_BYTE, r->peer, BENCH_ACK_TAG, r->comm);
}

static void direct(struct bench_run *r)
{
    while (bench_repeat(r)) {
        for (int i = 0; i < r->window; i++)
            if (r->rank == 0)
                MPI_Isend(bench_send_slot(r, i), r->count, r->type, r->peer, BENCH_TAG, r->comm,
                          &r->request[i]);
            else
                MPI_Irecv(bench_recv_slot(r, i), r->count, r->type, r->peer, BENCH_TAG, r->comm,
                          &r->request[i]);
        MPI_Waitall(r->window, r->request, MPI_STATUSES_IGNORE);
        acknowledge(r);
    }
}

static void staged(struct bench_run *r)
{
    while (bench_repeat(r)) {
        for (int i = 0; i < r->window; i++)
            if (r->rank == 0)
                MPI_Isend(staging_out(r, i), r->count, r->type, r->peer, BENCH_TAG, r->comm,
                          &r->request[i]);
            else
                MPI_Irecv(staging_place(r, i), r->count, r->type, r->peer, BENCH_TAG, r->comm,
                          &r->request[i]);
        for (int i = 0; i < r->window && r->rank != 0; i++) {
            MPI_Wait(&r->request[i], MPI_STATUS_IGNORE);
            staging_in(r, i);
        }
        if (r->rank == 0)
            MPI_Waitall(r->window, r->request, MPI_STATUSES_IGNORE);
        acknowledge(r);
    }
}

static void pipelined(struct bench_run *r)
{
    while (bench_repeat(r)) {
        if (r->rank == 0)
            staging_send_chunks(r);
        else
            staging_recv_chunks(r);
        acknowledge(r);
    }
}

static const struct bench bench = {
    .name = "staged_bw",
    .about = "bandwidth between GPUs, direct and staged in the host",
    .title = "MPI@ Staged Bandwidth Test",
    .ranks = { .min = 2, .max = 2 },
    .sizes = { .min = 1, .max = 4 * MiB },
    .counts = &counts_bandwidth,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_CHECK | TAKES_WINDOW,
    .flow = &flow_stream,
    .loop = BACK_TO_BACK,
    .timed = TIMED_RANK_0,
    .operations = { { "direct", direct }, { "staged", staged }, { "pipelined", pipelined } },
    .report = &report_bandwidth,
    .family = &staging_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
