/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hotspot_recv - time per message from a growing number of peers to one rank
 *
 *     ranks 1, 2, ...   recv <----- send (empty) to each   rank 0
 *                       send =====> irecv from each
 *                                   waitall
 *
 * Sample   one message from each peer, timed on rank 0 until all have arrived.
 *          Rank 0 posts its receives and asks for each message by an empty one;
 *          otherwise a message sent before the clock is read would seem to take
 *          no time.
 * Printed  the mean time for each number of peers, in us for a message; and the
 *          bandwidth in MB/s (10^6 bytes) of all peers together and of each.
 */
#include "bench.h"
#include "hotspot/hotspot.h"

static void hot_spot(struct bench_run *r)
{
    const int others = r->nranks - 1;

    while (bench_next(r)) {
        for (int i = 0; r->rank == 0 && i < others; i++)
            MPI_Irecv(bench_recv_slot(r, i), r->count, r->type, 1 + i, BENCH_TAG, r->comm,
                      &r->request[i]);
        bench_sync(r);
        bench_start(r);
        for (int i = 0; r->rank == 0 && i < others; i++)
            MPI_Send(NULL, 0, MPI_BYTE, 1 + i, BENCH_ACK_TAG, r->comm);
        if (r->rank == 0) {
            MPI_Waitall(others, r->request, MPI_STATUSES_IGNORE);
        } else {
            MPI_Recv(NULL, 0, MPI_BYTE, 0, BENCH_ACK_TAG, r->comm, MPI_STATUS_IGNORE);
            MPI_Send(r->send, r->count, r->type, 0, BENCH_TAG, r->comm);
        }
        bench_stop(r);
    }
}

static const struct bench bench = {
    .name = "hotspot_recv",
    .about = "time per message from a growing number of peers to one rank",
    .title = "MPI@ Hot-Spot Receive Test",
    .ranks = { .min = 2 },
    .sizes = { .min = 1, .max = 1 * MiB },
    .counts = &counts_latency,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK,
    .parameter = HOTSPOT_PEERS,
    .flow = &flow_hot_recv,
    .timed = TIMED_RANK_0,
    .run = hot_spot,
    .report = &report_hot_spot,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
