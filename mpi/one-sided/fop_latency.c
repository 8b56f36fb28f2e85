/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fop_latency - latency of MPI_Fetch_and_op with its synchronization
 *
 *     rank 0 (origin)   open epoch, fetch and add, close <-> rank 1 (target)
 *
 * Sample   one fetch-and-add in its epoch, timed on rank 0; rma.h has the loop,
 *          and says what opens and closes the epoch for each -s.
 * Printed  mean over iterations, in us; with pscw and fence the ranks take
 *          turns, and half is printed. flush_local means local completion only:
 *          the result has arrived.
 * Size     bytes of the element: one row for each type.
 */
#include "bench.h"
#include "rma/rma.h"

static void fetch_and_op(struct bench_run *r, int slot)
{
    MPI_Fetch_and_op(bench_send_slot(r, slot), bench_recv_slot(r, slot), r->type, r->peer,
                     rma_place(r, slot), r->op, rma_of(r)->win);
}

static void fop_latency(struct bench_run *r)
{
    rma_latency(r, fetch_and_op);
}

static const struct bench bench = {
    .name = "fop_latency",
    .about = "latency of MPI_Fetch_and_op with its synchronization",
    .title = "OSU MPI_Fetch_and_op@ latency Test",
    .ranks = { .min = 2, .max = 2 },
    .counts = &counts_latency,
    .takes = TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK | TAKES_RMA,
    .idle = "m",
    .flow = &flow_fetch_and_add,
    .loop = BACK_TO_BACK | BINDS_BUFFERS,
    .timed = TIMED_RANK_0,
    .run = fop_latency,
    .report = &report_rma_latency,
    .family = &rma_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
