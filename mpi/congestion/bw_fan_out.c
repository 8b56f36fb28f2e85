/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bw_fan_out - bandwidth from one node to all other nodes together
 *
 *     rank of group 0    /==> irecv x window, waitall   rank of group 1, at the
 *     isend x window,   ====> irecv x window, waitall   same place; of group 2
 *     to each            \==> irecv x window, waitall   ...
 *     recv x groups <-------- send (empty)
 *
 * Sample   one window to every other group and their acknowledgements, timed on
 *          each rank of group 0. All ranks are synchronized once all receives
 *          are posted. Groups are nodes, or blocks of ranks (--groups).
 * Printed  receivers * window * size / mean time of the senders, in MB/s (10^6
 *          bytes).
 *
 * A little longer than 60 lines, because a rank talks to many.
 */
#include "bench.h"
#include "groups/groups.h"

static void fan_out(struct bench_run *r)
{
    const struct groups *g = groups_of(r);
    const int window = r->window, parent = g->member[0];
    const int n = groups_messages(r);
    const bool sends = g->mine == 0;

    while (bench_next(r)) {
        for (int i = 0; !sends && i < n; i++)
            MPI_Irecv(bench_recv_slot(r, i), r->count, r->type, parent, BENCH_TAG, r->comm,
                      &r->request[i]);
        if (!r->as_omb)
            bench_sync(r);
        bench_start(r);
        if (sends) {
            for (int i = 0; i < n; i++)
                MPI_Isend(bench_send_slot(r, i % window), r->count, r->type,
                          g->member[1 + i / window], BENCH_TAG, r->comm, &r->request[i]);
            MPI_Waitall(n, r->request, MPI_STATUSES_IGNORE);
            for (int i = 1; i < g->count; i++)
                MPI_Recv(NULL, 0, MPI_BYTE, g->member[i], BENCH_ACK_TAG, r->comm,
                         MPI_STATUS_IGNORE);
        } else {
            MPI_Waitall(n, r->request, MPI_STATUSES_IGNORE);
            MPI_Send(NULL, 0, MPI_BYTE, parent, BENCH_ACK_TAG, r->comm);
        }
        bench_stop(r);
    }
}

static const struct bench bench = {
    .name = "bw_fan_out",
    .about = "bandwidth from one node to all other nodes together",
    .title = "OSU MPI@ Bandwidth Test",
    .ranks = { .min = 2 },
    .sizes = { .min = 1, .max = 4 * MiB },
    .counts = &counts_bandwidth,
    .takes =
        TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK | TAKES_WINDOW | TAKES_BUFFERS,
    .idle = "pRV",
    .flow = &flow_fan_out,
    .timed = TIMED_SENDERS,
    .run = fan_out,
    .report = &report_fan,
    .family = &groups_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
