/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exchange - time and bandwidth when every rank exchanges with both neighbors
 *
 *     rank i - 1  <======>  rank i  <======>  rank i + 1   (modulo P)
 *
 * Sample   on every rank, after all ranks were synchronized: isend to the next
 *          rank and to the one before, receive from both, waitall.
 * Printed  mean over iterations, then over ranks, in us; and 4 * size / mean time
 *          of the slowest rank, in MB/s (10^6 bytes), as IMB's Exchange.
 */
#include "bench.h"
#include "patterns/patterns.h"

static void exchange(struct bench_run *r)
{
    const int next = ring_next(r), previous = ring_previous(r);

    while (bench_next(r)) {
        bench_sync(r);
        bench_start(r);
        MPI_Isend(bench_send_slot(r, 0), r->count, r->type, next, BENCH_TAG, r->comm,
                  &r->request[0]);
        MPI_Isend(bench_send_slot(r, 1), r->count, r->type, previous, BENCH_TAG, r->comm,
                  &r->request[1]);
        MPI_Recv(bench_recv_slot(r, 0), r->count, r->type, previous, BENCH_TAG, r->comm,
                 MPI_STATUS_IGNORE);
        MPI_Recv(bench_recv_slot(r, 1), r->count, r->type, next, BENCH_TAG, r->comm,
                 MPI_STATUS_IGNORE);
        MPI_Waitall(2, r->request, MPI_STATUSES_IGNORE);
        bench_stop(r);
    }
}

static const struct bench bench = {
    .name = "exchange",
    .about = "time and bandwidth when every rank exchanges with both neighbors",
    .title = "MPI@ Neighbor Exchange Test",
    .ranks = { .min = 2 },
    .sizes = { .min = 1, .max = 4 * MiB },
    .counts = &counts_latency,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK,
    .flow = &flow_neighbor_exchange,
    .timed = TIMED_ALL,
    .run = exchange,
    .report = &report_neighbor_exchange,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
