/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * impact - how much longer messages of some ranks take while others congest the network
 *
 *     victims      o <----> o      latency, bw, allreduce, or ring
 *     congestors   o =====> o <===== o      incast, outcast, alltoall, or put
 *
 * Sample   one iteration of the slowest victim: a round trip, a window and its
 *          acknowledgement, or a call after all victims were synchronized.
 * Printed  medians and P99 of blocks of iterations, alone and under load, in us of half
 *          a round trip, a message of a window, or a call; their ratio with its
 *          interval; and what the congestors sent, in MB/s.
 * Outside  the start of the congestors, before each block, and their end.
 *
 * The file is longer than 60 lines, because there are four kinds of victims.
 */
#include "bench.h"

#include "impact/impact.h"

static void latency(struct bench_run *r)
{
    if (!impact_begin(r))
        return;
    while (bench_next(r)) {
        bench_start(r);
        if (r->sender)
            MPI_Send(r->send, r->count, r->type, r->peer, BENCH_TAG, r->comm);
        MPI_Recv(r->recv, r->count, r->type, r->peer, BENCH_TAG, r->comm, MPI_STATUS_IGNORE);
        if (!r->sender)
            MPI_Send(r->send, r->count, r->type, r->peer, BENCH_TAG, r->comm);
        bench_stop(r);
    }
    impact_end(r);
}

/* Receives are posted before the clock is read. */
static void bw(struct bench_run *r)
{
    if (!impact_begin(r))
        return;
    while (bench_next(r)) {
        for (int i = 0; i < r->window && !r->sender; i++)
            MPI_Irecv(bench_recv_slot(r, i), r->count, r->type, r->peer, BENCH_TAG, r->comm,
                      &r->request[i]);
        MPI_Sendrecv(NULL, 0, MPI_BYTE, r->peer, BENCH_ACK_TAG, NULL, 0, MPI_BYTE, r->peer,
                     BENCH_ACK_TAG, r->comm, MPI_STATUS_IGNORE);
        bench_start(r);
        for (int i = 0; i < r->window && r->sender; i++)
            MPI_Isend(bench_send_slot(r, i), r->count, r->type, r->peer, BENCH_TAG, r->comm,
                      &r->request[i]);
        MPI_Waitall(r->window, r->request, MPI_STATUSES_IGNORE);
        if (r->sender)
            MPI_Recv(NULL, 0, MPI_BYTE, r->peer, BENCH_ACK_TAG, r->comm, MPI_STATUS_IGNORE);
        else
            MPI_Send(NULL, 0, MPI_BYTE, r->peer, BENCH_ACK_TAG, r->comm);
        bench_stop(r);
    }
    impact_end(r);
}

static void allreduce(struct bench_run *r)
{
    if (!impact_begin(r))
        return;
    while (bench_next(r)) {
        bench_sync(r);
        bench_start(r);
        MPI_Allreduce(r->send, r->recv, r->count, r->type, r->op, impact_of(r)->side);
        bench_stop(r);
    }
    impact_end(r);
}

static void ring(struct bench_run *r)
{
    const bool victim = impact_begin(r);

    while (victim && bench_next(r)) {
        bench_sync(r);
        bench_start(r);
        MPI_Sendrecv(r->send, r->count, r->type, impact_next(r), BENCH_TAG, r->recv, r->count,
                     r->type, impact_previous(r), BENCH_TAG, r->comm, MPI_STATUS_IGNORE);
        bench_stop(r);
    }
    if (victim)
        impact_end(r);
}

static const struct bench bench = {
    .name = "impact",
    .about = "how much longer messages of some ranks take while others "
             "congest the network",
    .title = "MPI@ Congestion Impact Test",
    .ranks = { .min = 4 },
    .sizes = { .min = 8, .max = 8 },
    .counts = &counts_latency,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_CHECK | TAKES_WINDOW,
    .element = ELEMENT_INT,
    .flow = &flow_impact,
    .loop = TIMED_ITERATIONS | BINDS_BUFFERS,
    .timed = TIMED_SENDERS,
    .operations = { { "latency", latency },
                    { "bw", bw },
                    { "allreduce", allreduce },
                    { "ring", ring } },
    .report = &report_impact,
    .family = &impact_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
