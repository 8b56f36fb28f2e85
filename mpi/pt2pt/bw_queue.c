/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bw_queue - bandwidth in one direction as a function of queue depth
 *
 *     rank 0   isend x depth ==========> irecv x window   rank 1
 *              wait for depth / 2, isend x depth / 2, and so on: window in all
 *              waitall                   waitall
 *              recv <------------------- send (empty)
 *
 * Sample   one window and its acknowledgement, timed on rank 0. Between half
 *          the depth and the depth is outstanding, except at the end of the
 *          window.
 * Printed  window * size / mean time, in MB/s (10^6 bytes), for each depth.
 *
 * A little longer than 60 lines: the queue is what is measured.
 */
#include "bench.h"

static void post_receives(struct bench_run *r)
{
    for (int i = 0; i < r->window; i++)
        MPI_Irecv(bench_recv_slot(r, i), r->count, r->type, r->peer, BENCH_TAG, r->comm,
                  &r->request[i]);
}

static void send_until(struct bench_run *r, int *posted, int until)
{
    for (; *posted < until && *posted < r->window; ++*posted)
        MPI_Isend(bench_send_slot(r, *posted), r->count, r->type, r->peer, BENCH_TAG, r->comm,
                  &r->request[*posted]);
}

static void stream(struct bench_run *r)
{
    const int window = r->window, depth = (int)r->parameter, half = depth / 2;

    if (r->rank == 0) {
        while (bench_repeat(r)) {
            int posted = 0, done = 0;

            send_until(r, &posted, depth);
            for (; posted < window; done += half) {
                MPI_Waitall(half, &r->request[done], MPI_STATUSES_IGNORE);
                send_until(r, &posted, done + half + depth);
            }
            MPI_Waitall(window - done, &r->request[done], MPI_STATUSES_IGNORE);
            MPI_Recv(NULL, 0, MPI_BYTE, r->peer, BENCH_ACK_TAG, r->comm, MPI_STATUS_IGNORE);
        }
    } else {
        post_receives(r);
        while (bench_repeat(r)) {
            MPI_Waitall(window, r->request, MPI_STATUSES_IGNORE);
            if (!bench_last(r))
                post_receives(r);
            MPI_Send(NULL, 0, MPI_BYTE, r->peer, BENCH_ACK_TAG, r->comm);
        }
    }
}

static const struct bench bench = {
    .name = "bw_queue",
    .about = "bandwidth in one direction as a function of queue depth",
    .title = "MPI@ Bandwidth by Queue Depth Test",
    .ranks = { .min = 2, .max = 2 },
    .sizes = { .min = 1, .max = 4 * MiB },
    .counts = &counts_bandwidth,
    .takes =
        TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK | TAKES_WINDOW | TAKES_BUFFERS,
    .parameter = { .name = "Queue depth",
                   .key = "queue_depth",
                   .option = "queue-depth",
                   .argument = "N[,N...]",
                   .help = "most messages outstanding; 2 to the window; "
                           "for each a section of the table",
                   .fallback = "2,4,8,16,32,64",
                   .kind = PARAMETER_IN_FLIGHT,
                   .least = 2,
                   .value = { 2, 4, 8, 16, 32, 64 } },
    .flow = &flow_stream,
    .loop = BACK_TO_BACK | POSTS_AHEAD,
    .timed = TIMED_RANK_0,
    .run = stream,
    .report = &report_bandwidth,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
