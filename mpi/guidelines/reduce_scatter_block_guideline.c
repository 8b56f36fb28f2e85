/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reduce_scatter_block_guideline - time of MPI_Reduce_scatter_block compared with other reductions
 *
 * reduce+scatter  MPI_Reduce to rank 0, then MPI_Scatter.
 * reduce_scatter  MPI_Reduce_scatter of equal blocks.
 * allreduce       MPI_Allreduce; each rank copies its block.
 *
 * Sample   one call of each on every rank, in random order. All ranks are synchronized
 *          before each of them, outside the timed part.
 * Printed  us of each: median over iterations of the slowest rank. The median over
 *          iterations of reduce_scatter_block / mock-up, for the fastest mock-up, with its 95%
 *          interval. After the table the sizes where a mock-up is faster.
 * Size     bytes of the vector that each rank contributes; each receives an
 *          equal part of the sum.
 *
 * It is longer than 60 lines, because it has several ways.
 */
#include "bench.h"
#include "guidelines/guidelines.h"

static void native(struct bench_run *r)
{
    MPI_Reduce_scatter_block(r->send, r->recv, r->recv_count, r->type, r->op, r->comm);
}

static void by_reduce(struct bench_run *r)
{
    void *all = guideline_scratch(r);

    MPI_Reduce(r->send, all, r->recv_count * r->nranks, r->type, r->op, r->root, r->comm);
    MPI_Scatter(all, r->recv_count, r->type, r->recv, r->recv_count, r->type, r->root, r->comm);
}

static void by_reduce_scatter(struct bench_run *r)
{
    MPI_Reduce_scatter(r->send, r->recv, guideline_parts(r)->counts, r->type, r->op, r->comm);
}

static void by_allreduce(struct bench_run *r)
{
    void *all = guideline_scratch(r);

    MPI_Allreduce(r->send, all, r->recv_count * r->nranks, r->type, r->op, r->comm);
    guideline_copy(r, r->recv, guideline_own_part(r, all), r->recv_count);
}

static void guideline(struct bench_run *r)
{
    guideline_run(
        r, (guideline_operation *const[]){ native, by_reduce, by_reduce_scatter, by_allreduce });
}

static const struct bench bench = {
    .name = "reduce_scatter_block_guideline",
    .about = "time of MPI_Reduce_scatter_block compared with other reductions",
    .title = "MPI@ Reduce_scatter_block Guideline",
    .ranks = { .min = 2 },
    .sizes = { .min = 1, .max = 1 * MiB },
    .counts = &counts_collective,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_CHECK | TAKES_TYPE,
    .flow = &flow_reduce_scatter_block,
    .loop = SUMS_UP | BINDS_BUFFERS,
    .timed = TIMED_ALL,
    .run = guideline,
    .report = &report_reduce_scatter_block_guideline,
    .family = &guidelines_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
