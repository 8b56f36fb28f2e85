/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memory_latency - one-way latency through shared memory
 *
 *     rank 0   line ----------> poll, copy   rank 1
 *        poll, copy <---------- line
 *
 * Sample   one round trip, timed on rank 0. In each direction a cache line
 *          moves from core to core, and the receiver copies the message out of
 *          the sender's memory (shared.h).
 * Printed  half of it, in us, mean over all iterations. For a small message
 *          this is the transfer of a line, the lower bound of any latency
 *          within a node; for a large one it is one copy.
 * Size     bytes of the message. As in latency, the sender does not write it
 *          anew, unless --touch is given.
 */
#include "bench.h"
#include "transport/shared.h"

static void ping_pong(struct bench_run *r)
{
    struct shared *shared = shared_of(r);

    if (r->rank == 0) {
        while (bench_repeat(r)) {
            shared_send(shared, r->send);
            shared_recv(shared, r->recv, r->bytes);
        }
    } else {
        while (bench_repeat(r)) {
            shared_recv(shared, r->recv, r->bytes);
            shared_send(shared, r->send);
        }
    }
}

static const struct bench bench = {
    .name = "memory_latency",
    .about = "one-way latency through shared memory",
    .title = "Baseline Shared Memory Latency Test",
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
    .family = &transport_shared_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
