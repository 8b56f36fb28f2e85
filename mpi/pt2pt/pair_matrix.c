/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pair_matrix - one-way latency of every pair of ranks, and the outliers
 *
 *     in each of P - 1 rounds (P if odd) every rank, or all but one, has a partner:
 *         rank i   recv <------ send (empty)   partner
 *                  send ------> recv
 *                  recv <------ send           and then the other way round
 *
 * Sample   the sum of the round trips with each other rank, begun by this rank
 *          and by the partner, on every rank. Waiting until a partner is ready
 *          is left out.
 * Printed  half a round trip, in us, mean over partners, iterations and ranks;
 *          after the rows the typical times, and each rank, node or pair that
 *          is slow compared with its like.
 *
 * A little longer than 60 lines: it decides who meets whom, and what is left out.
 */
#include "bench.h"

#include "matrix/matrix.h"

/* A block for each partner or, while a round is verified, for each message of it. */
static void *block_of(const struct bench_run *r, int peer, int message)
{
    const int own = peer < r->rank ? peer : peer - 1;
    const int block = r->turn > 0 ? message : own;

    return (char *)r->recv + (size_t)block * r->bytes;
}

static void lead(const struct bench_run *r, struct part_times *times, int peer)
{
    MPI_Recv(NULL, 0, MPI_BYTE, peer, BENCH_ACK_TAG, r->comm, MPI_STATUS_IGNORE);
    part_times_start(times);
    MPI_Send(r->send, r->count, r->type, peer, BENCH_TAG, r->comm);
    MPI_Recv(block_of(r, peer, 0), r->count, r->type, peer, BENCH_TAG, r->comm, MPI_STATUS_IGNORE);
    part_times_stop(times, peer);
}

static void follow(const struct bench_run *r, int peer)
{
    MPI_Send(NULL, 0, MPI_BYTE, peer, BENCH_ACK_TAG, r->comm);
    MPI_Recv(block_of(r, peer, 1), r->count, r->type, peer, BENCH_TAG, r->comm, MPI_STATUS_IGNORE);
    MPI_Send(r->send, r->count, r->type, peer, BENCH_TAG, r->comm);
}

static void meet_everybody(struct bench_run *r)
{
    struct part_times *times = &matrix_of(r)->times;
    const int first = round_robin_first(r);
    const int end = round_robin_end(r, round_robin_rounds(r->nranks));

    while (bench_next(r)) {
        part_times_iteration(times);
        bench_sync(r);
        bench_start(r);
        for (int round = first; round < end; round++) {
            const int peer = round_robin_partner(r->rank, round, r->nranks);

            if (peer > r->rank)
                lead(r, times, peer);
            if (peer >= 0)
                follow(r, peer);
            if (peer >= 0 && peer < r->rank)
                lead(r, times, peer);
        }
        part_times_leave_rest(times, &r->iterations);
        bench_stop(r);
    }
}

static const struct bench bench = {
    .name = "pair_matrix",
    .about = "one-way latency of every pair of ranks, and the outliers",
    .title = "MPI@ Latency of All Pairs Test",
    .ranks = { .min = 3, .max = 4096 },
    .sizes = { .min = 1, .max = 64 * KiB },
    .counts = &counts_collective,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK,
    .flow = &flow_every_pair,
    .loop = SUMS_UP,
    .timed = TIMED_ALL,
    .run = meet_everybody,
    .report = &report_pair_matrix,
    .family = &matrix_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
