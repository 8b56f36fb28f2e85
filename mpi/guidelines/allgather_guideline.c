/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * allgather_guideline - time of MPI_Allgather compared with other ways to gather everything
 *
 * gather+bcast  MPI_Gather to rank 0, then MPI_Bcast.
 * allgatherv    MPI_Allgatherv of equal blocks.
 *
 * Sample   one call of each on every rank, in random order. All ranks are synchronized
 *          before each of them, outside the timed part.
 * Printed  us of each: median over iterations of the slowest rank. The median over
 *          iterations of allgather / mock-up, for the fastest mock-up, with its 95%
 *          interval. After the table the sizes where a mock-up is faster.
 * Size     bytes from each rank.
 *
 * It is longer than 60 lines, because it has several ways.
 */
#include "bench.h"
#include "guidelines/guidelines.h"

static void native(struct bench_run *r)
{
    MPI_Allgather(r->send, r->count, r->type, r->recv, r->count, r->type, r->comm);
}

static void by_gather(struct bench_run *r)
{
    MPI_Gather(r->send, r->count, r->type, r->recv, r->count, r->type, r->root, r->comm);
    MPI_Bcast(r->recv, r->count * r->nranks, r->type, r->root, r->comm);
}

static void by_allgatherv(struct bench_run *r)
{
    MPI_Allgatherv(r->send, r->count, r->type, r->recv, r->in.counts, r->in.displs, r->type,
                   r->comm);
}

static void guideline(struct bench_run *r)
{
    guideline_run(r, (guideline_operation *const[]){ native, by_gather, by_allgatherv });
}

static const struct bench bench = {
    .name = "allgather_guideline",
    .about = "time of MPI_Allgather compared with other ways to gather everything",
    .title = "MPI@ Allgather Guideline",
    .ranks = { .min = 2 },
    .sizes = { .min = 1, .max = 1 * MiB },
    .counts = &counts_collective,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_CHECK,
    .flow = &flow_gather_all_v,
    .loop = SUMS_UP | BINDS_BUFFERS,
    .timed = TIMED_ALL,
    .run = guideline,
    .report = &report_allgather_guideline,
    .family = &guidelines_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
