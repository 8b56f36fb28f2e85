/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ucx_bw - bandwidth of a window of tagged UCX messages in flight
 *
 *     rank 0   send x window ==========> wait          rank 1
 *              wait                      recv x window, for the next iteration
 *              recv <------------------- send (empty)
 *
 * Sample   one window and its acknowledgement, timed on rank 0; every receive
 *          is posted before its message is sent (ucx.h).
 * Printed  window * size / mean time, in MB/s (10^6 bytes).
 *
 * A little longer than 60 lines, because receives are posted in advance.
 */
#include "bench.h"
#include "transport/ucx.h"

static void post_receives(const struct bench_run *r)
{
    struct ucx *ucx = ucx_of(r);

    for (int i = 0; i < r->window; i++)
        ucx_recv(ucx, i, bench_recv_slot(r, i), r->bytes);
}

static void stream(struct bench_run *r)
{
    struct ucx *ucx = ucx_of(r);
    const int window = r->window;

    if (r->rank == 0) {
        while (bench_repeat(r)) {
            for (int i = 0; i < window; i++)
                ucx_send(ucx, i, bench_send_slot(r, i), r->bytes);
            ucx_wait(ucx, 0, window);
            ucx_recv(ucx, window, NULL, 0);
            ucx_wait(ucx, window, 1);
        }
    } else {
        post_receives(r);
        while (bench_repeat(r)) {
            ucx_wait(ucx, 0, window);
            if (!bench_last(r))
                post_receives(r);
            ucx_send(ucx, window, NULL, 0);
            ucx_wait(ucx, window, 1);
        }
    }
}

static const struct bench bench = {
    .name = "ucx_bw",
    .about = "bandwidth of a window of tagged UCX messages in flight",
    .title = "Baseline UCX Bandwidth Test",
    .ranks = { .min = 2, .max = 2 },
    .sizes = { .min = 1, .max = 4 * MiB },
    .counts = &counts_bandwidth,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_CHECK | TAKES_WINDOW | TAKES_BUFFERS,
    .needs = NEEDS_PROCESSES,
    .flow = &flow_stream,
    .loop = BACK_TO_BACK | POSTS_AHEAD,
    .timed = TIMED_RANK_0,
    .run = stream,
    .report = &report_transport_bandwidth,
    .family = &transport_ucx_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
