/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ucx_latency - one-way latency of a tagged UCX message
 *
 *     rank 0   send, wait ----> recv, wait   rank 1
 *              recv, wait <---- send, wait
 *
 * Sample   one round trip, timed on rank 0: ucp_tag_send_nbx and
 *          ucp_tag_recv_nbx, each with progress until it is complete (ucx.h).
 * Printed  half of it, in us, mean over all iterations.
 */
#include "bench.h"
#include "transport/ucx.h"

static void ping_pong(struct bench_run *r)
{
    struct ucx *ucx = ucx_of(r);

    if (r->rank == 0) {
        while (bench_repeat(r)) {
            ucx_send(ucx, 0, r->send, r->bytes);
            ucx_wait(ucx, 0, 1);
            ucx_recv(ucx, 0, r->recv, r->bytes);
            ucx_wait(ucx, 0, 1);
        }
    } else {
        while (bench_repeat(r)) {
            ucx_recv(ucx, 0, r->recv, r->bytes);
            ucx_wait(ucx, 0, 1);
            ucx_send(ucx, 0, r->send, r->bytes);
            ucx_wait(ucx, 0, 1);
        }
    }
}

static const struct bench bench = {
    .name = "ucx_latency",
    .about = "one-way latency of a tagged UCX message",
    .title = "Baseline UCX Latency Test",
    .ranks = { .min = 2, .max = 2 },
    .sizes = { .min = 1, .max = 4 * MiB },
    .counts = &counts_latency,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_CHECK,
    .needs = NEEDS_PROCESSES,
    .flow = &flow_ping_pong,
    .loop = BACK_TO_BACK,
    .timed = TIMED_RANK_0,
    .run = ping_pong,
    .report = &report_transport_latency,
    .family = &transport_ucx_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
