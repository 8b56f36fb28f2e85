/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * acc_latency - latency of MPI_Accumulate with its synchronization
 *
 *     rank 0 (origin)   open epoch, accumulate, close epoch -> rank 1 (target)
 *
 * Sample   one accumulate in its epoch, timed on rank 0; rma.h has the loop,
 *          and says what opens and closes the epoch for each -s.
 * Printed  mean over iterations, in us; with pscw and fence the ranks take
 *          turns, and half is printed. flush_local means local completion only.
 * Size     bytes of the vector that is added to the target's.
 */
#include "bench.h"
#include "rma/rma.h"

static void accumulate(struct bench_run *r, int slot)
{
    MPI_Accumulate(bench_send_slot(r, slot), r->count, r->type, r->peer, rma_place(r, slot),
                   r->count, r->type, r->op, rma_of(r)->win);
}

static void acc_latency(struct bench_run *r)
{
    rma_latency(r, accumulate);
}

static const struct bench bench = {
    .name = "acc_latency",
    .about = "latency of MPI_Accumulate with its synchronization",
    .title = "OSU MPI_Accumulate@ latency Test",
    .ranks = { .min = 2, .max = 2 },
    .sizes = { .min = 1, .max = 4 * MiB },
    .counts = &counts_latency,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK | TAKES_RMA,
    .flow = &flow_accumulate,
    .loop = BACK_TO_BACK | BINDS_BUFFERS,
    .timed = TIMED_RANK_0,
    .run = acc_latency,
    .report = &report_rma_latency,
    .family = &rma_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
