/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * random_ring - time and bandwidth of rings whose ranks are in random order
 *
 *     ring 1   2 ==> 0 ==> 3 ==> 1 ==> 2        each a random order of all
 *     ring 2   1 ==> 2 ==> 0 ==> 3 ==> 1        ranks, the same for one --seed
 *     ...
 *
 * Sample   one MPI_Sendrecv on every rank in each of the rings, one ring after
 *          another; the sum of the rings. All ranks are synchronized before each
 *          ring, outside the timed part.
 * Printed  mean over rings, iterations and ranks, in us; the median ring and the
 *          worst ring; and 2 * size / mean time of the slowest rank, in MB/s (10^6
 *          bytes).
 *
 * A little longer than 60 lines, because an iteration is a round through many
 * rings.
 */
#include "bench.h"
#include "patterns/patterns.h"

static void rings(struct bench_run *r)
{
    const struct peers *peers = patterns_of(r)->peers;

    while (bench_next(r)) {
        const int n = patterns_begin(r);

        bench_sync(r);
        bench_start(r);
        for (int i = 0; i < n; i++) {
            const int ring = patterns_next(r, i);

            MPI_Sendrecv(patterns_send(r, i), r->count, r->type, peers[ring].to, BENCH_TAG,
                         patterns_recv(r, i), r->count, r->type, peers[ring].from, BENCH_TAG,
                         r->comm, MPI_STATUS_IGNORE);
            patterns_done(r, ring);
        }
        patterns_end(r);
        bench_stop(r);
    }
}

static const struct bench bench = {
    .name = "random_ring",
    .about = "time and bandwidth of rings whose ranks are in random order",
    .title = "MPI@ Random Ring Test",
    .ranks = { .min = 2 },
    .sizes = { .min = 1, .max = 4 * MiB },
    .counts = &counts_latency,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK,
    .flow = &flow_patterns,
    .loop = SUMS_UP,
    .timed = TIMED_ALL,
    .run = rings,
    .report = &report_random_rings,
    .family = &rings_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
