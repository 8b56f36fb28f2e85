/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hosts - one-way latency within hosts, and between hosts in rounds, of all at once
 *
 *     rounds=0: the first two ranks of every host; else in each round, with a partner:
 *         rank i   recv <------ send (empty)   partner
 *                  send ------> recv
 *                  recv <------ send           and then the other way round
 *
 * Sample   a round trip with each partner, on every rank that has one, added up.
 *          Waiting until a partner is ready is left out.
 * Printed  half of one, in us, mean over partners, iterations and ranks; and the
 *          median over partners of the slowest host.
 *
 * It is longer than 60 lines: like pair_matrix it decides who leads, and what is left out.
 */
#include "bench.h"

#include "matrix/hosts.h"

/* While a round is verified each of its two messages has a block. */
static void *block_of(const struct bench_run *r, int message)
{
    return (char *)r->recv + (size_t)message * r->bytes;
}

static void lead(const struct bench_run *r, struct part_times *times, int round, int peer)
{
    MPI_Recv(NULL, 0, MPI_BYTE, peer, BENCH_ACK_TAG, r->comm, MPI_STATUS_IGNORE);
    part_times_start(times);
    MPI_Send(r->send, r->count, r->type, peer, BENCH_TAG, r->comm);
    MPI_Recv(block_of(r, 0), r->count, r->type, peer, BENCH_TAG, r->comm, MPI_STATUS_IGNORE);
    part_times_stop(times, round);
}

static void follow(const struct bench_run *r, int peer)
{
    MPI_Send(NULL, 0, MPI_BYTE, peer, BENCH_ACK_TAG, r->comm);
    MPI_Recv(block_of(r, 1), r->count, r->type, peer, BENCH_TAG, r->comm, MPI_STATUS_IGNORE);
    MPI_Send(r->send, r->count, r->type, peer, BENCH_TAG, r->comm);
}

static void meet_partners(struct bench_run *r)
{
    struct part_times *times = &hosts_of(r)->times;
    const int first = round_robin_first(r), end = round_robin_end(r, hosts_rounds(r));

    while (bench_next(r)) {
        part_times_iteration(times);
        bench_sync(r);
        bench_start(r);
        for (int round = first; round < end; round++) {
            const struct meeting at = hosts_meeting(r, round);

            if (at.rank < 0)
                continue;
            if (at.first)
                lead(r, times, round, at.rank);
            follow(r, at.rank);
            if (!at.first)
                lead(r, times, round, at.rank);
        }
        part_times_leave_rest(times, &r->iterations);
        bench_stop(r);
    }
}

static const struct bench bench = {
    .name = "hosts",
    .about = "one-way latency within hosts, and between hosts in rounds, of all at once",
    .title = "MPI@ Latency of Hosts Test",
    .ranks = { .min = 2 },
    .sizes = { .min = 1, .max = 1 * MiB },
    .counts = &counts_latency,
    .parameter = { .name = "Rounds",
                   .key = "rounds",
                   .option = "rounds",
                   .argument = "N[,N...]",
                   .help = "rounds between hosts; one partner of each host in a round; 0: within "
                           "hosts; for each number a section of the table",
                   .fallback = "0,16",
                   .kind = PARAMETER_NUMBER,
                   .most = 1 << 30,
                   .value = { 0, 16 } },
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK,
    .flow = &flow_hosts,
    .loop = SUMS_UP,
    .timed = TIMED_SENDERS,
    .run = meet_partners,
    .report = &report_hosts,
    .family = &hosts_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
