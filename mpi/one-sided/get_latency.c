/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * get_latency - latency of MPI_Get with its synchronization
 *
 *     rank 0 (origin)   open epoch, get, close epoch <----- rank 1 (target)
 *
 * Sample   one get in its epoch, timed on rank 0; rma.h has the loop, and says
 *          what opens and closes the epoch for each -s.
 * Printed  mean over iterations, in us; with pscw and fence the ranks take
 *          turns, and half is printed. flush_local means local completion only:
 *          the result has arrived.
 */
#include "bench.h"
#include "rma/rma.h"

static void get(struct bench_run *r, int slot)
{
    MPI_Get(bench_recv_slot(r, slot), r->count, r->type, r->peer, rma_place(r, slot), r->count,
            r->type, rma_of(r)->win);
}

static void get_latency(struct bench_run *r)
{
    rma_latency(r, get);
}

static const struct bench bench = {
    .name = "get_latency",
    .about = "latency of MPI_Get with its synchronization",
    .title = "OSU MPI_Get@ latency Test",
    .ranks = { .min = 2, .max = 2 },
    .sizes = { .min = 1, .max = 4 * MiB },
    .counts = &counts_latency,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_CHECK | TAKES_RMA,
    .flow = &flow_get,
    .loop = BACK_TO_BACK | BINDS_BUFFERS,
    .timed = TIMED_RANK_0,
    .run = get_latency,
    .report = &report_rma_latency,
    .family = &rma_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
