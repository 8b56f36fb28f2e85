/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * staged_latency - one-way latency between GPUs, direct and staged in the host
 *
 *     rank 0   [copy out] send ----------> recv [copy in]    rank 1
 *              [copy in] recv <---------- send [copy out]
 *
 * direct     MPI is given the buffers as they are.
 * staged     the benchmark copies each message to pinned host memory, sends it
 *            from there, and copies each received message back.
 * pipelined  messages larger than --chunk are staged in chunks: the copy of one
 *            chunk overlaps with the transfer of others.
 *
 * Sample   one round trip with its copies, timed on rank 0.
 * Printed  half of it, in us; after the table all three next to each other, and
 *          from which size on direct is faster or slower than the better of the
 *          staged copies.
 *
 * A little longer than 60 lines: it measures three ways.
 */
#include "bench.h"
#include "staging/staging.h"

static void direct(struct bench_run *r)
{
    const bool first = r->rank == 0;

    while (bench_repeat(r)) {
        if (first)
            MPI_Send(r->send, r->count, r->type, r->peer, BENCH_TAG, r->comm);
        MPI_Recv(r->recv, r->count, r->type, r->peer, BENCH_TAG, r->comm, MPI_STATUS_IGNORE);
        if (!first)
            MPI_Send(r->send, r->count, r->type, r->peer, BENCH_TAG, r->comm);
    }
}

static void send_staged(struct bench_run *r)
{
    MPI_Send(staging_out(r, 0), r->count, r->type, r->peer, BENCH_TAG, r->comm);
}

static void staged(struct bench_run *r)
{
    const bool first = r->rank == 0;

    while (bench_repeat(r)) {
        if (first)
            send_staged(r);
        MPI_Recv(staging_place(r, 0), r->count, r->type, r->peer, BENCH_TAG, r->comm,
                 MPI_STATUS_IGNORE);
        staging_in(r, 0);
        if (!first)
            send_staged(r);
    }
}

static void pipelined(struct bench_run *r)
{
    const bool first = r->rank == 0;

    while (bench_repeat(r)) {
        if (first)
            staging_send_chunks(r);
        staging_recv_chunks(r);
        if (!first)
            staging_send_chunks(r);
    }
}

static const struct bench bench = {
    .name = "staged_latency",
    .about = "one-way latency between GPUs, direct and staged in the host",
    .title = "MPI@ Staged Latency Test",
    .ranks = { .min = 2, .max = 2 },
    .sizes = { .min = 1, .max = 4 * MiB },
    .counts = &counts_latency,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_CHECK,
    .flow = &flow_ping_pong,
    .loop = BACK_TO_BACK,
    .timed = TIMED_RANK_0,
    .operations = { { "direct", direct }, { "staged", staged }, { "pipelined", pipelined } },
    .report = &report_round_trip,
    .family = &staging_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
