/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * igatherv - time of MPI_Igatherv, and the computation it hides
 *
 * Sample   start, a computation as long as the operation alone, and wait, on
 *          every rank, after all ranks were synchronized.
 * Printed  means over iterations, then over ranks, in us; overlap in percent.
 * Size     bytes from each rank.
 */
#include "bench.h"
#include "overlap/overlap.h"

static void start(struct bench_run *r, MPI_Request *request)
{
    MPI_Igatherv(r->send, r->out.counts[0], r->type, r->recv, r->in.counts, r->in.displs, r->type,
                 r->root, r->comm, request);
}

static void igatherv(struct bench_run *r)
{
    overlap_run(r, start); /* overlap.h has both passes */
}

static const struct bench bench = {
    .name = "igatherv",
    .about = "time of MPI_Igatherv, and the computation it hides",
    .title = "OSU MPI@ Non-blocking Gatherv Latency Test",
    .ranks = { .min = 2 },
    .sizes = { .min = 1, .max = 1 * MiB },
    .counts = &counts_collective,
    .takes =
        TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK | TAKES_IN_PLACE | TAKES_ROOT,
    .flow = &flow_gather_v,
    .timed = TIMED_ALL,
    .run = igatherv,
    .report = &report_overlap,
    .family = &overlap_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
