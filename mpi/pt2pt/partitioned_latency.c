/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * partitioned_latency - half the round-trip time of a partitioned message
 *
 *     rank 0   start, pready x partitions, wait ----> start, wait   rank 1
 *              start, wait <---- start, pready x partitions, wait
 *
 * Sample   one round trip, seen by rank 0; the requests are made before, once
 *          for each batch of laps.
 * Printed  half of it, in us, mean over all laps.
 * Size     bytes of the message, all partitions together (-q).
 *
 * A little longer than 60 lines, because both ranks send in partitions.
 */
#include "bench.h"
#include "partitions.h"

static void send_parts(MPI_Request *request, const struct partitions *p)
{
    MPI_Start(request);
    for (int i = 0; i < p->n; i++)
        MPI_Pready(p->order[i], *request);
    MPI_Wait(request, MPI_STATUS_IGNORE);
}

static void ping_pong(struct bench_run *r)
{
    const struct partitions *p = r->partitions;
    MPI_Request out, in;

    MPI_Psend_init(r->send, p->n, r->count / p->n, r->type, r->peer, BENCH_TAG,
                   r->comm, MPI_INFO_NULL, &out);
    MPI_Precv_init(r->recv, p->n, r->count / p->n, r->type, r->peer, BENCH_TAG,
                   r->comm, MPI_INFO_NULL, &in);
    while (bench_lap(r)) {
        if (r->sender)
            send_parts(&out, p);
        MPI_Start(&in);
        MPI_Wait(&in, MPI_STATUS_IGNORE);
        if (!r->sender)
            send_parts(&out, p);
    }
    MPI_Request_free(&out);
    MPI_Request_free(&in);
}

static const struct bench bench = {
    .name = "partitioned_latency",
    .about = "half the round-trip time of a partitioned message",
    .title = "OSU MPI@ Partitioned Latency Test",
    .ranks = { .min = 2, .max = 2 },
    .sizes = { .min = 1, .max = 4 * MiB },
    .counts = &counts_latency,
    .takes =
        TAKES_SIZES | TAKES_LAPS | TAKES_TYPE | TAKES_CHECK | TAKES_PARTITIONS,
    .needs = NEEDS_PARTITIONED,
    .flow = &flow_ping_pong,
    .strides = true,
    .bound = true,
    .timed = TIMED_RANK_0,
    .run = ping_pong,
    .report = &report_half_round_trip,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
