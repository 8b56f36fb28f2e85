/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ring - time and bandwidth when every rank sends to the next one in a ring
 *
 *     rank i - 1  =======>  rank i  =======>  rank i + 1   (modulo P)
 *
 * Sample   one MPI_Sendrecv on every rank, after all ranks were synchronized:
 *          a message to the next rank, and one from the rank before.
 * Printed  mean over iterations, then over ranks, in us; and 2 * size / mean time
 *          of the slowest rank, in MB/s (10^6 bytes), as IMB's Sendrecv.
 */
#include "bench.h"
#include "patterns/patterns.h"

static void ring(struct bench_run *r)
{
    const int next = ring_next(r), previous = ring_previous(r);

    while (bench_next(r)) {
        bench_sync(r);
        bench_start(r);
        MPI_Sendrecv(r->send, r->count, r->type, next, BENCH_TAG, r->recv, r->count, r->type,
                     previous, BENCH_TAG, r->comm, MPI_STATUS_IGNORE);
        bench_stop(r);
    }
}

static const struct bench bench = {
    .name = "ring",
    .about = "time and bandwidth when every rank sends to the next one in a "
             "ring",
    .title = "MPI@ Ring Test",
    .ranks = { .min = 2 },
    .sizes = { .min = 1, .max = 4 * MiB },
    .counts = &counts_latency,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK,
    .flow = &flow_ring,
    .timed = TIMED_ALL,
    .run = ring,
    .report = &report_ring,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
