/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bw_fan_in - bandwidth from all other nodes together into one node
 *
 *     rank of group 1   isend x window ==\
 *     rank of group 2   isend x window ===> waitall   rank of group 0, at the
 *     ...               isend x window ==/            same place in its group
 *                       recv <------------ send (empty), to each
 *
 * Sample   one window and its acknowledgement, timed on each sender. All ranks
 *          are synchronized once all receives are posted. Groups are nodes, or
 *          blocks of ranks (--groups).
 * Printed  senders * window * size / mean time of the senders, in MB/s (10^6
 *          bytes).
 *
 * A little longer than 60 lines, because a rank talks to many.
 */
#include "bench.h"
#include "groups/groups.h"

static void fan_in(struct bench_run *r)
{
    const struct groups *g = groups_of(r);
    const int window = r->window, parent = g->member[0];
    const int n = groups_messages(r);
    const bool receives = g->mine == 0;

    while (bench_next(r)) {
        for (int i = 0; receives && i < n; i++)
            MPI_Irecv(bench_recv_slot(r, i), r->count, r->type, g->member[1 + i / window],
                      BENCH_TAG, r->comm, &r->request[i]);
        if (!r->as_omb)
            bench_sync(r);
        bench_start(r);
        if (receives) {
            MPI_Waitall(n, r->request, MPI_STATUSES_IGNORE);
            for (int i = 1; i < g->count; i++)
                MPI_Send(NULL, 0, MPI_BYTE, g->member[i], BENCH_ACK_TAG, r->comm);
        } else {
            for (int i = 0; i < n; i++)
                MPI_Isend(bench_send_slot(r, i), r->count, r->type, parent, BENCH_TAG, r->comm,
                          &r->request[i]);
            MPI_Waitall(n, r->request, MPI_STATUSES_IGNORE);
            MPI_Recv(NULL, 0, MPI_BYTE, parent, BENCH_ACK_TAG, r->comm, MPI_STATUS_IGNORE);
        }
        bench_stop(r);
    }
}

static const struct bench bench = {
    .name = "bw_fan_in",
    .about = "bandwidth from all other nodes together into one node",
    .title = "OSU MPI@ Bandwidth Test",
    .ranks = { .min = 2 },
    .sizes = { .min = 1, .max = 4 * MiB },
    .counts = &counts_bandwidth,
    .takes =
        TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK | TAKES_WINDOW | TAKES_BUFFERS,
    .idle = "pRV",
    .flow = &flow_fan_in,
    .timed = TIMED_SENDERS,
    .run = fan_in,
    .report = &report_fan,
    .family = &groups_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
