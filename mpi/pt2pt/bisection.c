/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bisection - bandwidth of all pairs at once, both ways, for several matchings
 *
 *     halves   0 <==> 2    1 <==> 3             rank i and rank i + P/2
 *     shift    0 <==> 3    1 <==> 2    ...      every rank with every other
 *     random   2 <==> 0    3 <==> 1    ...      --pattern=random:R
 *
 * Sample   one message each way between the ranks of all pairs, in each of the
 *          matchings, one matching after another; the sum of the matchings, on
 *          each rank that has a partner. All ranks are synchronized before each
 *          matching, outside the timed part.
 * Printed  sum over all pairs of 2 * size / mean time, in MB/s (10^6 bytes); the
 *          quartiles of the matchings; and the slowest pair.
 *
 * A little longer than 60 lines, because an iteration is a round through many
 * matchings. If the number of ranks is odd, the last rank has no partner and stays
 * idle.
 */
#include "bench.h"
#include "patterns/patterns.h"

static void matchings(struct bench_run *r)
{
    const struct peers *peers = patterns_of(r)->peers;

    while (bench_next(r)) {
        const int n = patterns_begin(r);

        bench_sync(r);
        bench_start(r);
        for (int i = 0; i < n; i++) {
            const int matching = patterns_next(r, i);
            const int peer = peers[matching].to;

            MPI_Sendrecv(patterns_send(r, i), r->count, r->type, peer, BENCH_TAG,
                         patterns_recv(r, i), r->count, r->type, peer, BENCH_TAG, r->comm,
                         MPI_STATUS_IGNORE);
            patterns_done(r, matching);
        }
        patterns_end(r);
        bench_stop(r);
    }
}

static const struct bench bench = {
    .name = "bisection",
    .about = "bandwidth of all pairs at once, both ways, for several matchings",
    .title = "MPI@ Bisection Bandwidth Test",
    .ranks = { .min = 2 },
    .sizes = { .min = 1, .max = 4 * MiB },
    .counts = &counts_bandwidth,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_TYPE | TAKES_CHECK,
    .flow = &flow_patterns,
    .loop = SUMS_UP,
    .timed = TIMED_SENDERS,
    .run = matchings,
    .report = &report_bisection,
    .family = &matchings_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
