/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memory_latency - one-way latency through shared memory
 *
 *     rank 0   line ----------> poll, copy   rank 1
 *        poll, copy <---------- line
 *
 * Sample   one round trip, seen by rank 0.  Either way a cache line goes from core
 *          to core, and the receiver copies the message out of the sender's
 *          memory (shared.h).
 * Printed  half of it, in us, mean over all laps: of a small message the way of a
 *          line, below which no latency within a node can be; of a large one,
 *          one copy.
 * Size     bytes of the message.  The sender does not write it anew, as in
 *          latency; --touch has it do so.
 */
#include "bench.h"
#include "transport/shared.h"

static void ping_pong(struct bench_run *r)
{
    struct shared *shared = shared_of(r);

    if (r->rank == 0) {
        while (bench_lap(r)) {
            shared_send(shared, r->send);
            shared_recv(shared, r->recv, r->bytes);
        }
    } else {
        while (bench_lap(r)) {
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
    .takes = TAKES_SIZES | TAKES_LAPS | TAKES_CHECK,
    .needs = NEEDS_PROCESSES,
    .flow = &flow_ping_pong,
    .loop = LAPS,
    .timed = TIMED_RANK_0,
    .run = ping_pong,
    .report = &report_transport_latency,
    .family = &transport_shared_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
