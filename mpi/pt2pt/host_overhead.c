/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * host_overhead - CPU time per message inside MPI calls
 *
 *     rank 0   isend -------------------> irecv     rank 1
 *              compute a round trip       compute a round trip
 *              wait                       wait
 *
 * Sample   isend and wait of rank 0, without the computation. The computation
 *          is as long as a round trip, so no rank waits for the message itself;
 *          wait contains only the work that the library leaves until a call.
 * Printed  the mean, in us, and that of irecv and wait on rank 1: o_s and o_r
 *          of LogGP; and half a round trip without computation, of which o_s
 *          and o_r are parts. Each call includes one reading of the clock.
 *
 * A little longer than 60 lines: it has a loop without computation as well.
 */
#include "bench.h"
#include "overlap/overlap.h"

static void post(struct bench_run *r, bool sends, MPI_Request *request)
{
    if (sends)
        MPI_Isend(r->send, r->count, r->type, r->peer, BENCH_TAG, r->comm, request);
    else
        MPI_Irecv(r->recv, r->count, r->type, r->peer, BENCH_TAG, r->comm, request);
}

static void start(struct bench_run *r, MPI_Request *request)
{
    post(r, r->rank == 0, request);
}

static void ping_pong(struct bench_run *r)
{
    MPI_Request request;

    while (bench_next(r)) {
        bench_sync(r);
        bench_start(r);
        post(r, r->rank == 0, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        post(r, r->rank != 0, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        bench_stop(r);
    }
}

static void host_overhead(struct bench_run *r)
{
    if (overlap_of(r)->computing)
        overlap_apart(r, start);
    else
        ping_pong(r);
}

static const struct bench bench = {
    .name = "host_overhead",
    .about = "CPU time per message inside MPI calls",
    .title = "MPI@ Host Overhead Test",
    .ranks = { .min = 2, .max = 2 },
    .sizes = { .min = 1, .max = 4 * MiB },
    .counts = &counts_latency,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK,
    .flow = &flow_ping_pong,
    .timed = TIMED_RANK_0,
    .run = host_overhead,
    .report = &report_overhead,
    .family = &overhead_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
