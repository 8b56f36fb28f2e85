/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gatherv - time of MPI_Gatherv from all ranks to the root
 *
 * Sample   one call on every rank, after all ranks were synchronized.
 * Printed  mean over iterations, then over ranks, in us; ranks other than the
 *          root may finish early.
 * Size     bytes from each rank.
 */
#include "bench.h"
#include "collective/collective.h"

static void gatherv(struct bench_run *r)
{
    while (bench_next(r)) {
        bench_sync(r);
        bench_start(r);
        MPI_Gatherv(r->send, r->out.counts[0], r->type, r->recv, r->in.counts, r->in.displs,
                    r->type, r->root, r->comm);
        bench_stop(r);
    }
}

static const struct bench bench = {
    .name = "gatherv",
    .about = "time of MPI_Gatherv from all ranks to the root",
    .title = "OSU MPI@ Gatherv Latency Test",
    .ranks = { .min = 2 },
    .sizes = { .min = 1, .max = 1 * MiB },
    .counts = &counts_collective,
    .takes =
        TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK | TAKES_IN_PLACE | TAKES_ROOT,
    .flow = &flow_gather_v,
    .timed = TIMED_ALL,
    .run = gatherv,
    .report = &report_collective,
    .family = &collective_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
