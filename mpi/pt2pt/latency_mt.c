/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * latency_mt - one-way latency between threads of two ranks
 *
 *     rank 0, each of S threads   send ----------> recv   rank 1, one of R
 *                                 recv <---------- send   threads
 *
 * Sample   one round trip, timed by a thread of rank 0, with
 *          MPI_THREAD_MULTIPLE. threads.h says which threads talk to each
 *          other.
 * Printed  half of it, in us, mean over the iterations of all its threads.
 */
#include "bench.h"
#include "threads/threads.h"

static void ping_pong(struct bench_run *r)
{
    const int peer = r->peer, tag = r->tag;
    MPI_Status status;

    if (r->sender) {
        while (bench_repeat(r)) {
            MPI_Send(r->send, r->count, r->type, peer, tag, r->comm);
            MPI_Recv(r->recv, r->count, r->type, peer, tag, r->comm, MPI_STATUS_IGNORE);
        }
    } else {
        while (bench_repeat(r)) {
            MPI_Recv(r->recv, r->count, r->type, peer, tag, r->comm, &status);
            MPI_Send(r->send, r->count, r->type, peer, status.MPI_TAG, r->comm);
        }
    }
}

static void threads(struct bench_run *r)
{
    threads_run(r, ping_pong);
}

static const struct bench bench = {
    .name = "latency_mt",
    .about = "one-way latency between threads of two ranks",
    .title = "OSU MPI@ Multi-threaded Latency Test",
    .ranks = { .min = 2, .max = 2 },
    .sizes = { .min = 1, .max = 4 * MiB },
    .counts = &counts_latency,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK,
    .needs = NEEDS_THREADS,
    .flow = &flow_threads,
    .loop = BACK_TO_BACK | BINDS_BUFFERS,
    .timed = TIMED_RANK_0,
    .run = threads,
    .report = &report_threads,
    .family = &threads_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
