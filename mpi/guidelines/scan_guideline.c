/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scan_guideline - time of MPI_Scan compared with MPI_Exscan and one more term
 *
 * exscan  MPI_Exscan, then MPI_Reduce_local with the own term; rank 0 copies
 *             its term.
 *
 * Sample   one call of each on every rank, in random order. All ranks are synchronized
 *          before each of them, outside the timed part.
 * Printed  us of each: median over iterations of the slowest rank. The median over
 *          iterations of scan / mock-up, for the fastest mock-up, with its 95%
 *          interval. After the table the sizes where a mock-up is faster.
 * Size     bytes of the vector that each rank contributes.
 */
#include "bench.h"
#include "guidelines/guidelines.h"

static void native(struct bench_run *r)
{
    MPI_Scan(r->send, r->recv, r->count, r->type, r->op, r->comm);
}

static void by_exscan(struct bench_run *r)
{
    MPI_Exscan(r->send, r->recv, r->count, r->type, r->op, r->comm);
    if (r->rank == 0)
        guideline_copy(r, r->recv, r->send, r->count);
    else
        MPI_Reduce_local(r->send, r->recv, r->count, r->type, r->op);
}

static void guideline(struct bench_run *r)
{
    guideline_run(r, (guideline_operation *const[]){ native, by_exscan });
}

static const struct bench bench = {
    .name = "scan_guideline",
    .about = "time of MPI_Scan compared with MPI_Exscan and one more term",
    .title = "MPI@ Scan Guideline",
    .ranks = { .min = 2 },
    .sizes = { .min = 1, .max = 1 * MiB },
    .counts = &counts_collective,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_CHECK | TAKES_TYPE,
    .flow = &flow_scan,
    .loop = SUMS_UP | BINDS_BUFFERS,
    .timed = TIMED_ALL,
    .run = guideline,
    .report = &report_scan_guideline,
    .family = &guidelines_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
