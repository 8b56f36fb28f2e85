/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tcp_latency - one-way latency of a message over TCP
 *
 *     rank 0   send ----------> recv   rank 1
 *              recv <---------- send
 *
 * Sample   one round trip over one connection, timed on rank 0. Each rank polls
 *          until its message is complete (tcp.h).
 * Printed  half of it, in us, mean over all iterations.
 */
#include "bench.h"
#include "transport/tcp.h"

static void ping_pong(struct bench_run *r)
{
    struct tcp *tcp = tcp_of(r);

    if (r->rank == 0) {
        while (bench_repeat(r)) {
            tcp_send(tcp, r->send, r->bytes);
            tcp_recv(tcp, r->recv, r->bytes);
        }
    } else {
        while (bench_repeat(r)) {
            tcp_recv(tcp, r->recv, r->bytes);
            tcp_send(tcp, r->send, r->bytes);
        }
    }
}

static const struct bench bench = {
    .name = "tcp_latency",
    .about = "one-way latency of a message over TCP",
    .title = "Baseline TCP Latency Test",
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
    .family = &transport_tcp_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
