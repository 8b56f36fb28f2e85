/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * partitioned_latency - one-way latency of a partitioned message
 *
 *     rank 0   start, pready x partitions, wait ----> start, wait   rank 1
 *              start, wait <---- start, pready x partitions, wait
 *
 * Sample   one round trip, timed on rank 0. The requests, and the threads that
 *          share the calls of MPI_Pready (--pready-threads), are created
 *          untimed, once for each batch of iterations.
 * Printed  half of it, in us, mean over all iterations. With --compute both ranks
 *          compute before each wait, as long as a message without it takes, and
 *          the columns are OMB's of overlap, of one message.
 * Size     bytes of the message, all partitions together (-q).
 *
 * A little longer than 60 lines, because both ranks send in partitions, and by
 * several threads.  Request 0 sends, and request 1 receives.
 */
#include "bench.h"
#include "partitions/partitions.h"

static void mark_ready(struct bench_run *r, int thread)
{
    const struct partitions *p = partitions_of(r);
    const int end = partitions_first(p, thread + 1);

    for (int i = partitions_first(p, thread); i < end; i++)
        MPI_Pready(p->order[i], r->request[0]);
}

static void start(struct bench_run *r, bool sends)
{
    MPI_Start(&r->request[sends ? 0 : 1]);
    if (sends)
        partitions_mark(r);
}

static void message(struct bench_run *r, bool sends)
{
    start(r, sends);
    MPI_Wait(&r->request[sends ? 0 : 1], MPI_STATUS_IGNORE);
}

static void ping_pong(struct bench_run *r)
{
    const struct partitions *p = partitions_of(r);

    MPI_Psend_init(r->send, p->n, r->count / p->n, r->type, r->peer, BENCH_TAG, r->comm,
                   MPI_INFO_NULL, &r->request[0]);
    MPI_Precv_init(r->recv, p->n, r->count / p->n, r->type, r->peer, BENCH_TAG, r->comm,
                   MPI_INFO_NULL, &r->request[1]);
    partitions_threads_begin(r, mark_ready);
    if (overlap_of(r)->computing)
        overlap_messages(r, start); /* overlap.h has this pass */
    else
        while (bench_repeat(r)) {
            message(r, r->sender);
            message(r, !r->sender);
        }
    partitions_threads_end(r);
    MPI_Request_free(&r->request[0]);
    MPI_Request_free(&r->request[1]);
}

static const struct bench bench = {
    .name = "partitioned_latency",
    .about = "one-way latency of a partitioned message",
    .title = "MPI@ Partitioned Latency Test",
    .ranks = { .min = 2, .max = 2 },
    .sizes = { .min = 1, .max = 4 * MiB },
    .counts = &counts_latency,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK,
    .needs = NEEDS_PARTITIONED,
    .flow = &flow_ping_pong,
    .loop = BACK_TO_BACK | BINDS_BUFFERS | STARTS_AGAIN,
    .timed = TIMED_RANK_0,
    .run = ping_pong,
    .report = &report_persistent_round_trip,
    .family = &partitions_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
