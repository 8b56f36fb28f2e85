/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * allreduce_guideline - time of MPI_Allreduce compared with other collectives
 *
 * reduce+bcast              MPI_Reduce to rank 0, then MPI_Bcast.
 * reduce_scatter+allgather  MPI_Reduce_scatter_block, then MPI_Allgather.
 *
 * Sample   one call of each on every rank, in random order. All ranks are synchronized
 *          before each of them, outside the timed part.
 * Printed  us of each: median over iterations of the slowest rank. The median over
 *          iterations of allreduce / mock-up, for the fastest mock-up, with its 95%
 *          interval. After the table the sizes where a mock-up is faster.
 * Size     bytes of the vector that each rank contributes.
 */
#include "bench.h"
#include "guidelines/guidelines.h"

static void native(struct bench_run *r)
{
    MPI_Allreduce(r->send, r->recv, r->count, r->type, r->op, r->comm);
}

static void by_reduce(struct bench_run *r)
{
    MPI_Reduce(r->send, r->recv, r->count, r->type, r->op, r->root, r->comm);
    MPI_Bcast(r->recv, r->count, r->type, r->root, r->comm);
}

static void by_reduce_scatter(struct bench_run *r)
{
    guideline_reduce_scatter(r, guideline_own_part(r, r->recv));
    guideline_allgather(r, r->recv);
}

static void guideline(struct bench_run *r)
{
    guideline_run(r, (guideline_operation *const[]){ native, by_reduce, by_reduce_scatter });
}

static const struct bench bench = {
    .name = "allreduce_guideline",
    .about = "time of MPI_Allreduce compared with other collectives",
    .title = "MPI@ Allreduce Guideline",
    .ranks = { .min = 2 },
    .sizes = { .min = 1, .max = 1 * MiB },
    .counts = &counts_collective,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_CHECK | TAKES_TYPE,
    .flow = &flow_reduce_all,
    .loop = SUMS_UP | BINDS_BUFFERS,
    .timed = TIMED_ALL,
    .run = guideline,
    .report = &report_allreduce_guideline,
    .family = &guidelines_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
