/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reduce - time of MPI_Reduce from all ranks to the root
 *
 * Sample   one call on every rank, after all ranks were synchronized.
 * Printed  mean over iterations, then over ranks, in us; ranks other than the
 *          root may finish early.
 * Size     bytes of the vector that each rank contributes.
 */
#include "bench.h"
#include "collective/collective.h"

static void reduce(struct bench_run *r)
{
    while (bench_next(r)) {
        bench_sync(r);
        bench_start(r);
        MPI_Reduce(r->send, r->recv, r->count, r->type, r->op, r->root, r->comm);
        bench_stop(r);
    }
}

static const struct bench bench = {
    .name = "reduce",
    .about = "time of MPI_Reduce from all ranks to the root",
    .title = "OSU MPI@ Reduce Latency Test",
    .ranks = { .min = 2 },
    .sizes = { .min = 1, .max = 1 * MiB },
    .counts = &counts_collective,
    .takes =
        TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK | TAKES_IN_PLACE | TAKES_ROOT,
    .flow = &flow_reduce,
    .timed = TIMED_ALL,
    .run = reduce,
    .report = &report_collective,
    .family = &collective_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
