/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tcp_bw - bandwidth of a stream of messages over TCP
 *
 *     rank 0   send x window ==========> recv x window   rank 1
 *              recv <------------------- send (one byte)
 *
 * Sample   one window and its acknowledgement over one connection, timed on
 *          rank 0; tcp.c makes one call for each message.
 * Printed  window * size / mean time, in MB/s (10^6 bytes).
 */
#include "bench.h"
#include "transport/tcp.h"

static void stream(struct bench_run *r)
{
    struct tcp *tcp = tcp_of(r);
    const int window = r->window;

    if (r->rank == 0) {
        while (bench_repeat(r)) {
            for (int i = 0; i < window; i++)
                tcp_send(tcp, bench_send_slot(r, i), r->bytes);
            tcp_recv(tcp, NULL, 0);
        }
    } else {
        while (bench_repeat(r)) {
            for (int i = 0; i < window; i++)
                tcp_recv(tcp, bench_recv_slot(r, i), r->bytes);
            tcp_send(tcp, NULL, 0);
        }
    }
}

static const struct bench bench = {
    .name = "tcp_bw",
    .about = "bandwidth of a stream of messages over TCP",
    .title = "Baseline TCP Bandwidth Test",
    .ranks = { .min = 2, .max = 2 },
    .sizes = { .min = 1, .max = 4 * MiB },
    .counts = &counts_bandwidth,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_CHECK | TAKES_WINDOW | TAKES_BUFFERS,
    .needs = NEEDS_PROCESSES,
    .flow = &flow_stream,
    .loop = BACK_TO_BACK,
    .timed = TIMED_RANK_0,
    .run = stream,
    .report = &report_transport_bandwidth,
    .family = &transport_tcp_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
