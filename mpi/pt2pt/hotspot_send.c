/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hotspot_send - time per message from one rank to a growing number of peers
 *
 *     rank 0   isend to each =====> irecv   ranks 1, 2, ...
 *              waitall              wait
 *              recv x others <----- send (empty)
 *
 * Sample   one message to each of the others, until all have answered, seen by
 *          rank 0; all start together with their receives posted.
 * Printed  mean time of a message, in us; MB/s (10^6 bytes) of all and of each.
 */
#include "bench.h"
#include "hotspot/hotspot.h"

static void hot_spot(struct bench_run *r)
{
    const int others = r->nranks - 1;

    while (bench_next(r)) {
        if (r->rank > 0)
            MPI_Irecv(r->recv, r->count, r->type, 0, BENCH_TAG, r->comm, r->request);
        bench_sync(r);
        bench_start(r);
        if (r->rank == 0) {
            for (int i = 0; i < others; i++)
                MPI_Isend(bench_send_slot(r, i), r->count, r->type, 1 + i, BENCH_TAG, r->comm,
                          &r->request[i]);
            MPI_Waitall(others, r->request, MPI_STATUSES_IGNORE);
            for (int i = 0; i < others; i++)
                MPI_Recv(NULL, 0, MPI_BYTE, 1 + i, BENCH_ACK_TAG, r->comm, MPI_STATUS_IGNORE);
        } else {
            MPI_Wait(r->request, MPI_STATUS_IGNORE);
            MPI_Send(NULL, 0, MPI_BYTE, 0, BENCH_ACK_TAG, r->comm);
        }
        bench_stop(r);
    }
}

static const struct bench bench = {
    .name = "hotspot_send",
    .about = "time per message from one rank to a growing number of peers",
    .title = "MPI@ Hot-Spot Send Test",
    .ranks = { .min = 2 },
    .sizes = { .min = 1, .max = 1 * MiB },
    .counts = &counts_latency,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK,
    .parameter = HOTSPOT_PEERS,
    .flow = &flow_hot_send,
    .timed = TIMED_RANK_0,
    .run = hot_spot,
    .report = &report_hot_spot,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
