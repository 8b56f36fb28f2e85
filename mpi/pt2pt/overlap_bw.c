/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * overlap_bw - bandwidth in one direction during a computation on both ranks
 *
 *     rank 0   isend x window ==========> irecv x window   rank 1
 *              compute                    compute
 *              waitall                    waitall
 *              recv <-------------------- send (empty)
 *
 * Sample   one window, the computation and the acknowledgement. The parameter
 *          is the length of the computation, in percent of the time of a window
 *          without it.
 * Printed  window * size / mean time, in MB/s (10^6 bytes); its share of the
 *          bandwidth without computation, which is measured in the same row;
 *          the computation; and its share of the time, which is what an
 *          application gets.
 *
 * A little longer than 60 lines: it has a loop without computation as well.
 */
#include "bench.h"
#include "overlap/overlap.h"

static void post(struct bench_run *r)
{
    for (int i = 0; i < r->window; i++)
        if (r->rank == 0)
            MPI_Isend(bench_send_slot(r, i), r->count, r->type, r->peer, BENCH_TAG, r->comm,
                      &r->request[i]);
        else
            MPI_Irecv(bench_recv_slot(r, i), r->count, r->type, r->peer, BENCH_TAG, r->comm,
                      &r->request[i]);
}

static void acknowledge(struct bench_run *r)
{
    if (r->rank == 0)
        MPI_Recv(NULL, 0, MPI_BYTE, r->peer, BENCH_ACK_TAG, r->comm, MPI_STATUS_IGNORE);
    else
        MPI_Send(NULL, 0, MPI_BYTE, r->peer, BENCH_ACK_TAG, r->comm);
}

static void stream(struct bench_run *r)
{
    const struct overlap *overlap = overlap_of(r);

    while (bench_next(r)) {
        bench_start(r);
        post(r);
        const struct overlap_part part = overlap_part(overlap, r->request);
        MPI_Waitall(r->window, r->request, MPI_STATUSES_IGNORE);
        acknowledge(r);
        bench_stop(r);
        overlap_note(r, r->iterations.mark, part);
    }
}

static const struct bench bench = {
    .name = "overlap_bw",
    .about = "bandwidth in one direction during a computation on both ranks",
    .title = "MPI@ Bandwidth with Computation Test",
    .ranks = { .min = 2, .max = 2 },
    .sizes = { .min = 1 * KiB, .max = 4 * MiB },
    .counts = &counts_bandwidth,
    .takes =
        TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK | TAKES_WINDOW | TAKES_BUFFERS,
    .parameter = { .name = "Computation in percent of a window",
                   .key = "compute_percent",
                   .option = "compute",
                   .argument = "PERCENT[,...]",
                   .help = "computation, in percent; of the time of a window "
                           "without it; for each a section of the table",
                   .fallback = "0,25,50,75,100",
                   .most = 10000,
                   .value = { 0, 25, 50, 75, 100 } },
    .flow = &flow_stream,
    .loop = TIMED_ITERATIONS,
    .timed = TIMED_RANK_0,
    .run = stream,
    .report = &report_overlap_bandwidth,
    .family = &overlap_bw_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
