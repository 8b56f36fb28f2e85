/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ibarrier - time of MPI_Ibarrier, and the computation it hides
 *
 * Sample   start, a computation as long as the operation alone, and wait, on
 *          every rank, after all ranks were synchronized.
 * Printed  means over iterations, then over ranks, in us; overlap in percent.
 */
#include "bench.h"
#include "overlap/overlap.h"

static void start(struct bench_run *r, MPI_Request *request)
{
    MPI_Ibarrier(r->comm, request);
}

static void ibarrier(struct bench_run *r)
{
    overlap_run(r, start); /* overlap.h has both passes */
}

static const struct bench bench = {
    .name = "ibarrier",
    .about = "time of MPI_Ibarrier, and the computation it hides",
    .title = "OSU MPI@ Non-blocking Barrier Latency Test",
    .ranks = { .min = 2 },
    .counts = &counts_ibarrier,
    .takes = TAKES_ITERATIONS,
    .idle = "mM",
    .flow = &flow_barrier,
    .timed = TIMED_ALL,
    .run = ibarrier,
    .report = &report_overlap_alone,
    .family = &overlap_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
