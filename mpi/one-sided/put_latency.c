/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * put_latency - latency of MPI_Put with its synchronization
 *
 *     rank 0 (origin)   open epoch, put, close epoch -----> rank 1 (target)
 *
 * Sample   one put in its epoch, timed on rank 0: from the call that opens the
 *          epoch to the return of the call that closes it. rma.h has the loop,
 *          and says which calls these are for each -s.
 * Printed  mean over iterations, in us; with pscw and fence both ranks are
 *          origins in turn, and half is printed. flush_local means local
 *          completion only: the data may still be under way.
 */
#include "bench.h"
#include "rma/rma.h"

static void put(struct bench_run *r, int slot)
{
    MPI_Put(bench_send_slot(r, slot), r->count, r->type, r->peer, rma_place(r, slot), r->count,
            r->type, rma_of(r)->win);
}

static void put_latency(struct bench_run *r)
{
    rma_latency(r, put);
}

static const struct bench bench = {
    .name = "put_latency",
    .about = "latency of MPI_Put with its synchronization",
    .title = "OSU MPI_Put@ Latency Test",
    .ranks = { .min = 2, .max = 2 },
    .sizes = { .min = 1, .max = 4 * MiB },
    .counts = &counts_latency,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_CHECK | TAKES_RMA,
    .flow = &flow_put,
    .loop = BACK_TO_BACK | BINDS_BUFFERS,
    .timed = TIMED_RANK_0,
    .run = put_latency,
    .report = &report_rma_latency,
    .family = &rma_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
