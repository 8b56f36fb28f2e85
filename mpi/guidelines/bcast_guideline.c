/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bcast_guideline - time of MPI_Bcast compared with a scatter and an allgather
 *
 * scatter+allgather  MPI_Scatter from rank 0, then MPI_Allgather.
 *
 * Sample   one call of each on every rank, in random order. All ranks are synchronized
 *          before each of them, outside the timed part.
 * Printed  us of each: median over iterations of the slowest rank. The median over
 *          iterations of bcast / mock-up, for the fastest mock-up, with its 95%
 *          interval. After the table the sizes where a mock-up is faster.
 * Size     bytes of the message.
 */
#include "bench.h"
#include "guidelines/guidelines.h"

static void native(struct bench_run *r)
{
    MPI_Bcast(r->recv, r->count, r->type, r->root, r->comm);
}

static void by_scatter(struct bench_run *r)
{
    guideline_scatter(r, r->recv);
    guideline_allgather(r, r->recv);
}

static void guideline(struct bench_run *r)
{
    guideline_run(r, (guideline_operation *const[]){ native, by_scatter });
}

static const struct bench bench = {
    .name = "bcast_guideline",
    .about = "time of MPI_Bcast compared with a scatter and an allgather",
    .title = "MPI@ Bcast Guideline",
    .ranks = { .min = 2 },
    .sizes = { .min = 1, .max = 1 * MiB },
    .counts = &counts_collective,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_CHECK,
    .flow = &flow_broadcast,
    .loop = SUMS_UP | BINDS_BUFFERS,
    .timed = TIMED_ALL,
    .run = guideline,
    .report = &report_bcast_guideline,
    .family = &guidelines_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
