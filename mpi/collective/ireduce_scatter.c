/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ireduce_scatter - time of MPI_Ireduce_scatter, and the computation it hides
 *
 * Sample   start, a computation as long as the operation alone, and wait, on
 *          every rank, after all ranks were synchronized.
 * Printed  means over iterations, then over ranks, in us; overlap in percent.
 * Size     bytes of the vector that each rank contributes; each receives its
 *          part of the sum.
 */
#include "bench.h"
#include "overlap/overlap.h"

static void start(struct bench_run *r, MPI_Request *request)
{
    MPI_Ireduce_scatter(r->send, r->recv, r->in.counts, r->type, r->op, r->comm, request);
}

static void ireduce_scatter(struct bench_run *r)
{
    overlap_run(r, start); /* overlap.h has both passes */
}

static const struct bench bench = {
    .name = "ireduce_scatter",
    .about = "time of MPI_Ireduce_scatter, and the computation it hides",
    .title = "OSU MPI@ Non-blocking Reduce_scatter Latency Test",
    .ranks = { .min = 2 },
    .sizes = { .min = 1, .max = 1 * MiB },
    .counts = &counts_collective,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK | TAKES_IN_PLACE,
    .flow = &flow_reduce_scatter,
    .timed = TIMED_ALL,
    .run = ireduce_scatter,
    .report = &report_overlap,
    .family = &overlap_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
