/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * match_queue - latency of messages that are matched in long queues
 *
 *     rank 0, N entries   irecv, send ------> wait           rank 1, N entries
 *                         wait        <------ irecv, send
 *
 * queues.h says what the queues contain, and how they are made and emptied.
 *
 * Sample   one round trip, timed on rank 0: each rank posts one receive and matches
 *          one message; in order and in reverse N + 1 of each.
 * Printed  half of it for each message, in us, mean over iterations; after the table
 *          the slope over N: the ns that an entry costs, with its 95% interval.
 *
 * A little longer than 60 lines: one message and a whole queue are two loops.
 */
#include "bench.h"
#include "queues/queues.h"

static void one_message(struct bench_run *r)
{
    MPI_Request *timed = &queues_of(r)->timed;

    queues_fill(r);
    if (r->rank == 1)
        queues_post(r);
    while (bench_repeat(r)) {
        if (r->rank == 0)
            queues_post(r);
        else
            MPI_Wait(timed, MPI_STATUS_IGNORE);
        if (r->rank == 1 && !bench_last(r))
            queues_post(r);
        MPI_Send(r->send, r->count, r->type, r->peer, BENCH_TAG, r->comm);
        if (r->rank == 0)
            MPI_Wait(timed, MPI_STATUS_IGNORE);
    }
    queues_drain(r);
}

static void whole_queue(struct bench_run *r)
{
    struct queues *m = queues_of(r);

    if (r->rank == 1)
        queues_post_all(r);
    queues_fill(r);
    while (bench_repeat(r)) {
        if (r->rank == 0)
            queues_post_all(r);
        else
            queues_wait_all(r, m->received);
        if (r->rank == 1 && !bench_last(r))
            queues_post_all(r);
        queues_send_all(r);
        if (r->rank == 0)
            queues_wait_all(r, m->received);
        queues_wait_all(r, m->sent);
    }
}

static const struct bench bench = {
    .name = "match_queue",
    .about = "latency of messages that are matched in long queues",
    .title = "MPI@ Matching Queue Test",
    .ranks = { .min = 2, .max = 2 },
    .sizes = { .min = 8, .max = 8 },
    .counts = &counts_latency,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK,
    .parameter = QUEUES_ENTRIES,
    .flow = &flow_queues,
    .loop = BACK_TO_BACK | BINDS_BUFFERS,
    .timed = TIMED_RANK_0,
    .operations = { { "posted", one_message },
                    { "unexpected", one_message },
                    { "in_order", whole_queue },
                    { "reverse", whole_queue } },
    .report = &report_queues,
    .family = &queues_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
