/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reduce_guideline - time of MPI_Reduce compared with operations that do more
 *
 * allreduce              MPI_Allreduce, whose result only rank 0 needs.
 * reduce_scatter+gather  MPI_Reduce_scatter_block, then MPI_Gather.
 *
 * Sample   one call of each on every rank, in random order. All ranks are synchronized
 *          before each of them, outside the timed part.
 * Printed  us of each: median over iterations of the slowest rank. The median over
 *          iterations of reduce / mock-up, for the fastest mock-up, with its 95%
 *          interval. After the table the sizes where a mock-up is faster.
 * Size     bytes of the vector that each rank contributes.
 */
#include "bench.h"
#include "guidelines/guidelines.h"

static void native(struct bench_run *r)
{
    MPI_Reduce(r->send, r->recv, r->count, r->type, r->op, r->root, r->comm);
}

static void by_allreduce(struct bench_run *r)
{
    MPI_Allreduce(r->send, guideline_recv(r), r->count, r->type, r->op, r->comm);
}

static void by_reduce_scatter(struct bench_run *r)
{
    guideline_reduce_scatter(r, guideline_scratch(r));
    guideline_gather(r, guideline_scratch(r), r->recv);
}

static void guideline(struct bench_run *r)
{
    guideline_run(r, (guideline_operation *const[]){ native, by_allreduce, by_reduce_scatter });
}

static const struct bench bench = {
    .name = "reduce_guideline",
    .about = "time of MPI_Reduce compared with operations that do more",
    .title = "MPI@ Reduce Guideline",
    .ranks = { .min = 2 },
    .sizes = { .min = 1, .max = 1 * MiB },
    .counts = &counts_collective,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_CHECK | TAKES_TYPE,
    .flow = &flow_reduce,
    .loop = SUMS_UP | BINDS_BUFFERS,
    .timed = TIMED_ALL,
    .run = guideline,
    .report = &report_reduce_guideline,
    .family = &guidelines_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
