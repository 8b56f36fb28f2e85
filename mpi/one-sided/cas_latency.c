/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cas_latency - latency of MPI_Compare_and_swap with its synchronization
 *
 *     rank 0 (origin)   open epoch, compare and swap, close <-> rank 1 (target)
 *
 * Sample   one compare-and-swap in its epoch, timed on rank 0; rma.h has the
 *          loop, and says what opens and closes the epoch for each -s. In the
 *          verified iteration it swaps; in all others the compared value
 *          differs.
 * Printed  mean over iterations, in us; with pscw and fence the ranks take
 *          turns, and half is printed. flush_local means local completion only:
 *          the result has arrived.
 * Size     bytes of the element: one row for each type.
 */
#include "bench.h"
#include "rma/rma.h"

static void compare_and_swap(struct bench_run *r, int slot)
{
    MPI_Compare_and_swap(bench_send_slot(r, slot), bench_send_slot(r, slot + 1),
                         bench_recv_slot(r, slot), r->type, r->peer, rma_place(r, slot),
                         rma_of(r)->win);
}

static void cas_latency(struct bench_run *r)
{
    rma_latency(r, compare_and_swap);
}

static const struct bench bench = {
    .name = "cas_latency",
    .about = "latency of MPI_Compare_and_swap with its synchronization",
    .title = "OSU MPI_Compare_and_swap@ latency Test",
    .ranks = { .min = 2, .max = 2 },
    .counts = &counts_latency,
    .takes = TAKES_ITERATIONS | TAKES_INTEGER_TYPE | TAKES_CHECK | TAKES_RMA,
    .idle = "m",
    .flow = &flow_compare_and_swap,
    .loop = BACK_TO_BACK | BINDS_BUFFERS,
    .timed = TIMED_RANK_0,
    .run = cas_latency,
    .report = &report_rma_latency,
    .family = &rma_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
