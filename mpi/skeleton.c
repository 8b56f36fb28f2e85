/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * skeleton - one sentence that says what is measured (CONTRIBUTING.md, step 3)
 *
 * Sample   one call on every rank, after all ranks were synchronized.
 * Printed  mean over iterations, then over ranks, in us.
 * Size     bytes of the message.
 *
 * Copy this file, or a program that is nearer to yours.  It is built, so that it
 * compiles, and never installed.
 */
#include "bench.h"
#include "collective/collective.h"

static void skeleton(struct bench_run *r)
{
    while (bench_next(r)) {
        bench_sync(r);
        bench_start(r);
        MPI_Bcast(r->recv, r->count, r->type, r->root, r->comm);
        bench_stop(r);
    }
}

static const struct bench bench = {
    .name = "skeleton",
    .about = "one sentence that says what is measured (CONTRIBUTING.md, step 3)",
    .title = "MPI@ Broadcast Latency Test",
    .ranks = { .min = 2 },
    .sizes = { .min = 1, .max = 1 * MiB },
    .counts = &counts_collective,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK,
    .flow = &flow_broadcast,
    .timed = TIMED_ALL,
    .run = skeleton,
    .report = &report_collective,
    .family = &collective_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
