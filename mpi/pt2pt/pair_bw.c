/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pair_bw - bandwidth of every pair of ranks, and the outliers
 *
 *     in each of P - 1 rounds (P if odd) every rank, or all but one, has a partner:
 *         rank i   recv <------ send (empty)          partner
 *                  isend x window ==========> waitall
 *                  recv <------ send (empty)          and then the other way round
 *
 * Sample   the sum of the windows to each other rank, with their acknowledgements,
 *          on every rank. All ranks are synchronized before each window, so that all
 *          pairs of a round send at the same time; with --alone one pair sends. That
 *          is left out, and waiting until the receiver is ready.
 * Printed  window * size / mean time of a pair, in MB/s (10^6 bytes), of one
 *          direction; the slowest pair; the slowest tenth of the row of any pair; after
 *          the rows each rank, node or pair that is slow compared with its like.
 *
 * It is longer than 60 lines: windows go one way, the other, or both at the same time.
 */
#include "bench.h"
#include "matrix/matrix.h"

static void receive(struct bench_run *r, const struct meeting *at)
{
    for (int i = 0; i < r->window; i++)
        MPI_Irecv(bench_recv_slot(r, i), r->count, r->type, at->rank, BENCH_TAG, r->comm,
                  &r->request[i]);
}

static void send(struct bench_run *r, const struct meeting *at)
{
    for (int i = 0; i < r->window; i++)
        MPI_Isend(bench_send_slot(r, i), r->count, r->type, at->rank, BENCH_TAG, r->comm,
                  &r->request[r->window + i]);
}

/* An empty message. */
static void tell(const struct bench_run *r, int rank)
{
    MPI_Send(NULL, 0, MPI_BYTE, rank, BENCH_ACK_TAG, r->comm);
}

static void hear(const struct bench_run *r, int rank)
{
    MPI_Recv(NULL, 0, MPI_BYTE, rank, BENCH_ACK_TAG, r->comm, MPI_STATUS_IGNORE);
}

static void one_way(struct bench_run *r, const struct meeting *at, bool sends)
{
    struct part_times *times = &matrix_of(r)->times;

    if (!sends && at->rank >= 0)
        receive(r, at);
    part_times_sync(r);
    if (at->rank < 0)
        return;
    if (sends) {
        hear(r, at->rank);
        part_times_start(times);
        send(r, at);
        MPI_Waitall(r->window, r->request + r->window, MPI_STATUSES_IGNORE);
        hear(r, at->rank);
        part_times_stop(times, at->number);
    } else {
        tell(r, at->rank);
        MPI_Waitall(r->window, r->request, MPI_STATUSES_IGNORE);
        tell(r, at->rank);
    }
}

static void both_ways(struct bench_run *r, const struct meeting *at)
{
    struct part_times *times = &matrix_of(r)->times;

    if (at->rank >= 0)
        receive(r, at);
    part_times_sync(r);
    if (at->rank < 0)
        return;
    MPI_Sendrecv(NULL, 0, MPI_BYTE, at->rank, BENCH_ACK_TAG, NULL, 0, MPI_BYTE, at->rank,
                 BENCH_ACK_TAG, r->comm, MPI_STATUS_IGNORE);
    part_times_start(times);
    send(r, at);
    MPI_Waitall(2 * r->window, r->request, MPI_STATUSES_IGNORE);
    part_times_stop(times, at->number);
}

static void meet_everybody(struct bench_run *r)
{
    struct matrix *m = matrix_of(r);
    const int first = round_robin_first(r), end = round_robin_end(r, m->meetings.rounds);

    while (bench_next(r)) {
        part_times_iteration(&m->times);
        bench_sync(r);
        bench_start(r);
        for (int i = first * m->meetings.turns; i < end * m->meetings.turns; i++) {
            const struct meeting at = meetings_get(&m->meetings, i);

            if (m->both) {
                both_ways(r, &at);
            } else {
                one_way(r, &at, at.first);
                one_way(r, &at, !at.first);
            }
        }
        part_times_leave_rest(&m->times, &r->iterations);
        bench_stop(r);
    }
}

static const struct bench bench = {
    .name = "pair_bw",
    .about = "bandwidth of every pair of ranks, and the outliers",
    .title = "MPI@ Bandwidth of All Pairs Test",
    .ranks = { .min = 3, .max = 4096 },
    .sizes = { .min = 1 * MiB, .max = 1 * MiB },
    .counts = &counts_bandwidth,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK | TAKES_BUFFERS,
    .flow = &flow_windows_of_pairs,
    .loop = SUMS_UP,
    .timed = TIMED_SENDERS,
    .run = meet_everybody,
    .report = &report_pair_bandwidth,
    .family = &bandwidth_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
