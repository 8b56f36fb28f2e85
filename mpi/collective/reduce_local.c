/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reduce_local - time of MPI_Reduce_local: the arithmetic of a reduction
 *
 * Sample   one call on every rank; no data leaves a rank, and ranks do not wait
 *          for each other.
 * Printed  mean over iterations, then over ranks, in us; and size / mean time, in
 *          MB/s (10^6 bytes of one operand).
 * Size     bytes of each of the two vectors that are combined.
 *
 * On one rank it shows what the library's loops can do; on all cores of a node,
 * how much memory bandwidth is left for each.
 */
#include "bench.h"
#include "collective/collective.h"

static void reduce_local(struct bench_run *r)
{
    while (bench_repeat(r))
        MPI_Reduce_local(r->send, r->recv, r->count, r->type, r->op);
}

static const struct bench bench = {
    .name = "reduce_local",
    .about = "time of MPI_Reduce_local: the arithmetic of a reduction",
    .title = "MPI_Reduce_local@ Latency Test",
    .ranks = { .min = 1 },
    .sizes = { .min = 1, .max = 1 * MiB },
    .counts = &counts_collective,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK,
    .flow = &flow_reduce_local,
    .loop = BACK_TO_BACK,
    .timed = TIMED_ALL,
    .run = reduce_local,
    .report = &report_reduce_local,
    .family = &reduce_local_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
