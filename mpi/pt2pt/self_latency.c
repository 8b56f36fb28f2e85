/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * self_latency - time of a message from a rank to itself
 *
 *     rank 0   irecv, send, wait     rank 1   irecv, send, wait     ...
 *
 * Sample   one message on every rank: the time of several, divided by their number.
 *          No data leaves a rank, and ranks do not wait for each other.
 * Printed  its mean over iterations, then over ranks, in us.
 *
 * Small messages show what the library itself costs: the checks of the arguments,
 * the datatype, matching, the request.  Compare two libraries, two builds of one,
 * or types (-T, -D), where between two ranks the difference would drown.
 */
#include "bench.h"

static void send_to_self(struct bench_run *r)
{
    const int self = r->rank;
    MPI_Request request;

    while (bench_repeat(r)) {
        MPI_Irecv(r->recv, r->count, r->type, self, BENCH_TAG, r->comm, &request);
        MPI_Send(r->send, r->count, r->type, self, BENCH_TAG, r->comm);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

static const struct bench bench = {
    .name = "self_latency",
    .about = "time of a message from a rank to itself",
    .title = "MPI@ Self Latency Test",
    .ranks = { .min = 1 },
    .sizes = { .min = 1, .max = 4 * MiB },
    .counts = &counts_latency,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK,
    .flow = &flow_self,
    .loop = BACK_TO_BACK,
    .timed = TIMED_ALL,
    .run = send_to_self,
    .report = &report_self,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
