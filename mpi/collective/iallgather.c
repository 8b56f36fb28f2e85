/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iallgather - time of MPI_Iallgather, and the computation it hides
 *
 * Sample   start, a computation as long as the operation alone, and wait, on
 *          every rank, after all ranks were synchronized.
 * Printed  means over iterations, then over ranks, in us; overlap in percent.
 * Size     bytes that each rank contributes.
 */
#include "bench.h"
#include "overlap/overlap.h"

static void start(struct bench_run *r, MPI_Request *request)
{
    MPI_Iallgather(r->send, r->count, r->type, r->recv, r->count, r->type, r->comm, request);
}

static void iallgather(struct bench_run *r)
{
    overlap_run(r, start); /* overlap.h has both passes */
}

static const struct bench bench = {
    .name = "iallgather",
    .about = "time of MPI_Iallgather, and the computation it hides",
    .title = "OSU MPI@ Non-blocking Allgather Latency Test",
    .ranks = { .min = 2 },
    .sizes = { .min = 1, .max = 1 * MiB },
    .counts = &counts_collective,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK | TAKES_IN_PLACE,
    .flow = &flow_gather_all,
    .timed = TIMED_ALL,
    .run = iallgather,
    .report = &report_overlap,
    .family = &overlap_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
