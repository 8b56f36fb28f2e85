/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memory_bw - bandwidth of one copy through shared memory
 *
 *     rank 0   line x window ==========> poll, copy, x window   rank 1
 *              poll <------------------- line
 *
 * Sample   one window and its acknowledgement, timed on rank 0. The receiver
 *          copies each message out of the sender's memory (shared.h).
 * Printed  window * size / mean time, in MB/s (10^6 bytes). A library that
 *          copies once can reach this, one that copies twice half of it.
 * Size     bytes of the message. With -b single a small one stays in the
 *          receiver's cache, as in bw; --touch has the sender write it anew,
 *          --buffers=rotate uses new memory.
 */
#include "bench.h"
#include "transport/shared.h"

static void stream(struct bench_run *r)
{
    struct shared *shared = shared_of(r);
    const int window = r->window;

    if (r->rank == 0) {
        while (bench_repeat(r)) {
            for (int i = 0; i < window; i++)
                shared_send(shared, bench_send_slot(r, i));
            shared_await(shared);
        }
    } else {
        while (bench_repeat(r)) {
            for (int i = 0; i < window; i++)
                shared_recv(shared, bench_recv_slot(r, i), r->bytes);
            shared_send(shared, r->send);
        }
    }
}

static const struct bench bench = {
    .name = "memory_bw",
    .about = "bandwidth of one copy through shared memory",
    .title = "Baseline Shared Memory Bandwidth Test",
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
    .family = &transport_shared_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
