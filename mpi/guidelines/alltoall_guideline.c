/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alltoall_guideline - time of MPI_Alltoall compared with its form with counts
 *
 * alltoallv  MPI_Alltoallv of equal blocks.
 *
 * Sample   one call of each on every rank, in random order. All ranks are synchronized
 *          before each of them, outside the timed part.
 * Printed  us of each: median over iterations of the slowest rank. The median over
 *          iterations of alltoall / mock-up, for the fastest mock-up, with its 95%
 *          interval. After the table the sizes where a mock-up is faster.
 * Size     bytes from each rank to each rank.
 */
#include "bench.h"
#include "guidelines/guidelines.h"

static void native(struct bench_run *r)
{
    MPI_Alltoall(r->send, r->count, r->type, r->recv, r->count, r->type, r->comm);
}

static void by_alltoallv(struct bench_run *r)
{
    MPI_Alltoallv(r->send, r->out.counts, r->out.displs, r->type, r->recv, r->in.counts,
                  r->in.displs, r->type, r->comm);
}

static void guideline(struct bench_run *r)
{
    guideline_run(r, (guideline_operation *const[]){ native, by_alltoallv });
}

static const struct bench bench = {
    .name = "alltoall_guideline",
    .about = "time of MPI_Alltoall compared with its form with counts",
    .title = "MPI@ Alltoall Guideline",
    .ranks = { .min = 2 },
    .sizes = { .min = 1, .max = 1 * MiB },
    .counts = &counts_collective,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_CHECK,
    .flow = &flow_exchange_all_v,
    .loop = SUMS_UP | BINDS_BUFFERS,
    .timed = TIMED_ALL,
    .run = guideline,
    .report = &report_alltoall_guideline,
    .family = &guidelines_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
