/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * progress - how much of a message moves while its sender computes
 *
 *     rank 0   isend ===================> irecv (posted before), wait   rank 1
 *              compute N us
 *              wait
 *              recv <-------------------- send (empty)
 *
 * Sample   one message, the computation of its sender, and the acknowledgement, timed
 *          on rank 0. The parameter is the length of the computation.
 * Printed  the mean, in us; that of the computation; that of a message without
 *          computation, measured in the same row; and the percent of the latter that the
 *          computation hid: 100 - 100 (overall - computation) / pure.
 *
 * A little longer than 60 lines: only one of the ranks computes.
 */
#include "bench.h"
#include "overlap/overlap.h"

static void send(struct bench_run *r)
{
    MPI_Request request;

    while (bench_next(r)) {
        bench_sync(r);
        bench_start(r);
        MPI_Isend(r->send, r->count, r->type, r->peer, BENCH_TAG, r->comm, &request);
        const struct overlap_part part = overlap_part(overlap_of(r), &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Recv(NULL, 0, MPI_BYTE, r->peer, BENCH_ACK_TAG, r->comm, MPI_STATUS_IGNORE);
        bench_stop(r);
        overlap_note(r, r->iterations.mark, part);
    }
}

static void receive(struct bench_run *r)
{
    MPI_Request request;

    while (bench_next(r)) {
        MPI_Irecv(r->recv, r->count, r->type, r->peer, BENCH_TAG, r->comm, &request);
        bench_sync(r);
        bench_start(r);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Send(NULL, 0, MPI_BYTE, r->peer, BENCH_ACK_TAG, r->comm);
        bench_stop(r);
    }
}

static void message(struct bench_run *r)
{
    if (r->rank == 0)
        send(r);
    else
        receive(r);
}

static const struct bench bench = {
    .name = "progress",
    .about = "how much of a message moves while its sender computes",
    .title = "MPI@ Progress Test",
    .ranks = { .min = 2, .max = 2 },
    .sizes = { .min = 64 * KiB, .max = 4 * MiB },
    .counts = &counts_bandwidth,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK,
    .parameter = { .name = "Computation in us",
                   .key = "sender_compute_us",
                   .option = "compute",
                   .argument = "US[,...]",
                   .help = "computation of the sender; in us; for each a "
                           "section of the table",
                   .fallback = "100,1000,10000",
                   .least = 1,
                   .most = 10000000,
                   .value = { 100, 1000, 10000 } },
    .flow = &flow_stream,
    .timed = TIMED_RANK_0,
    .run = message,
    .report = &report_progress,
    .family = &progress_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
