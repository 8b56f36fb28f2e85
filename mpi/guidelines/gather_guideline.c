/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gather_guideline - time of MPI_Gather compared with operations that do more
 *
 * gatherv    MPI_Gatherv of equal blocks.
 * allgather  MPI_Allgather, whose result only rank 0 needs.
 *
 * Sample   one call of each on every rank, in random order. All ranks are synchronized
 *          before each of them, outside the timed part.
 * Printed  us of each: median over iterations of the slowest rank. The median over
 *          iterations of gather / mock-up, for the fastest mock-up, with its 95%
 *          interval. After the table the sizes where a mock-up is faster.
 * Size     bytes from each rank.
 *
 * It is longer than 60 lines, because it has several ways.
 */
#include "bench.h"
#include "guidelines/guidelines.h"

static void native(struct bench_run *r)
{
    MPI_Gather(r->send, r->count, r->type, r->recv, r->count, r->type, r->root, r->comm);
}

static void by_gatherv(struct bench_run *r)
{
    MPI_Gatherv(r->send, r->count, r->type, r->recv, r->in.counts, r->in.displs, r->type, r->root,
                r->comm);
}

static void by_allgather(struct bench_run *r)
{
    MPI_Allgather(r->send, r->count, r->type, guideline_recv(r), r->count, r->type, r->comm);
}

static void guideline(struct bench_run *r)
{
    guideline_run(r, (guideline_operation *const[]){ native, by_gatherv, by_allgather });
}

static const struct bench bench = {
    .name = "gather_guideline",
    .about = "time of MPI_Gather compared with operations that do more",
    .title = "MPI@ Gather Guideline",
    .ranks = { .min = 2 },
    .sizes = { .min = 1, .max = 1 * MiB },
    .counts = &counts_collective,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_CHECK,
    .flow = &flow_gather_v,
    .loop = SUMS_UP | BINDS_BUFFERS,
    .timed = TIMED_ALL,
    .run = guideline,
    .report = &report_gather_guideline,
    .family = &guidelines_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
