/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scatter_guideline - time of MPI_Scatter compared with operations that do more
 *
 * scatterv  MPI_Scatterv of equal blocks.
 * bcast     MPI_Bcast of all blocks; each rank copies its own.
 *
 * Sample   one call of each on every rank, in random order. All ranks are synchronized
 *          before each of them, outside the timed part.
 * Printed  us of each: median over iterations of the slowest rank. The median over
 *          iterations of scatter / mock-up, for the fastest mock-up, with its 95%
 *          interval. After the table the sizes where a mock-up is faster.
 * Size     bytes to each rank.
 *
 * It is longer than 60 lines, because it has several ways.
 */
#include "bench.h"
#include "guidelines/guidelines.h"

static void native(struct bench_run *r)
{
    MPI_Scatter(r->send, r->count, r->type, r->recv, r->count, r->type, r->root, r->comm);
}

static void by_scatterv(struct bench_run *r)
{
    MPI_Scatterv(r->send, r->out.counts, r->out.displs, r->type, r->recv, r->count, r->type,
                 r->root, r->comm);
}

static void by_bcast(struct bench_run *r)
{
    void *all = r->rank == r->root ? r->send : guideline_scratch(r);

    MPI_Bcast(all, r->count * r->nranks, r->type, r->root, r->comm);
    guideline_copy(r, r->recv, guideline_at(r, all, r->rank * r->count), r->count);
}

static void guideline(struct bench_run *r)
{
    guideline_run(r, (guideline_operation *const[]){ native, by_scatterv, by_bcast });
}

static const struct bench bench = {
    .name = "scatter_guideline",
    .about = "time of MPI_Scatter compared with operations that do more",
    .title = "MPI@ Scatter Guideline",
    .ranks = { .min = 2 },
    .sizes = { .min = 1, .max = 1 * MiB },
    .counts = &counts_collective,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_CHECK,
    .flow = &flow_scatter_v,
    .loop = SUMS_UP | BINDS_BUFFERS,
    .timed = TIMED_ALL,
    .run = guideline,
    .report = &report_scatter_guideline,
    .family = &guidelines_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
