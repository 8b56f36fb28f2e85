/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mbw_mr_mt - bandwidth and message rate of many threads of two ranks at once
 *
 *     rank 0, each of T threads   isend x window ==========> waitall   rank P / 2,
 *                                 waitall                              one of T
 *                                 recv <------------------- send       threads
 *
 * threads.h says what keeps the messages of threads apart, and which pairs of ranks do
 * the same with one thread each if there are 2 T ranks.
 *
 * Sample   one window and its acknowledgement, timed by a thread of rank 0, with
 *          MPI_THREAD_MULTIPLE; or on each sender. Receives are posted before their
 *          messages are sent.
 * Printed  T * window * size / mean time, in MB/s (10^6 bytes), messages per second,
 *          and both relative to the first section.
 *
 * A little longer than 60 lines, because receives are posted in advance.
 */
#include "bench.h"
#include "threads/threads.h"

static void post_receives(struct bench_run *r)
{
    for (int i = 0; i < r->window; i++)
        MPI_Irecv(bench_recv_slot(r, i), r->count, r->type, r->peer, streams_tag(r), r->comm,
                  &r->request[i]);
}

static void stream(struct bench_run *r)
{
    const int window = r->window, peer = r->peer, tag = streams_tag(r);
    const int ack = r->tag + STREAMS_ACK;

    if (r->sender) {
        while (bench_repeat(r)) {
            for (int i = 0; i < window; i++)
                MPI_Isend(bench_send_slot(r, i), r->count, r->type, peer, tag, r->comm,
                          &r->request[i]);
            MPI_Waitall(window, r->request, MPI_STATUSES_IGNORE);
            MPI_Recv(NULL, 0, MPI_BYTE, peer, ack, r->comm, MPI_STATUS_IGNORE);
        }
    } else {
        post_receives(r);
        while (bench_repeat(r)) {
            MPI_Waitall(window, r->request, MPI_STATUSES_IGNORE);
            if (!bench_last(r))
                post_receives(r);
            MPI_Send(NULL, 0, MPI_BYTE, peer, ack, r->comm);
        }
    }
}

static void threads(struct bench_run *r)
{
    if (streams_takes_part(r))
        threads_run(r, stream);
}

static void processes(struct bench_run *r)
{
    if (streams_takes_part(r))
        stream(r);
}

static const struct bench bench = {
    .name = "mbw_mr_mt",
    .about = "bandwidth and message rate of many threads of two ranks at once",
    .title = "MPI@ Multi-threaded Bandwidth / Message Rate Test",
    .ranks = { .min = 2, .even = true },
    .sizes = { .min = 1, .max = 64 * KiB },
    .counts = &counts_bandwidth,
    .takes =
        TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK | TAKES_WINDOW | TAKES_BUFFERS,
    .parameter = STREAMS_NUMBERS,
    .needs = NEEDS_THREADS,
    .flow = &flow_streams,
    .loop = BACK_TO_BACK | BINDS_BUFFERS,
    .timed = TIMED_SENDERS,
    .operations = { { "threads", threads }, { "processes", processes } },
    .report = &report_streams,
    .family = &streams_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
