/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * halo - halo exchange on a grid of ranks, in five ways
 *
 *     every rank   its outer cells ----> the halo of each neighbor
 *                  its halo        <---- the outer cells of each neighbor
 *
 * subarray     MPI_Irecv and MPI_Isend with subarray datatypes.
 * packed       the same with messages that the program packs and unpacks.
 * neighbor     MPI_Neighbor_alltoallw; with --compute MPI_Ineighbor_alltoallw.
 * persistent   as subarray, with persistent requests.
 * partitioned  partitioned messages, which the program packs part by part.
 *
 * Sample   one exchange with all neighbors on every rank, after all ranks were
 *          synchronized; with --compute also the computation in it.
 * Printed  its mean over iterations and ranks, in us; bytes that a rank sends / that
 *          time, in MB/s (10^6 bytes); and that rate in % of the rate without
 *          computation. After the table all ways next to each other.
 * Size     bytes of one layer of a face of the block: 8 L, or 8 L^2 with three
 *          dimensions. A block has L^d cells.
 *
 * It is longer than 60 lines, because it measures five ways.
 * c/family/halo/halo.h has the MPI calls of each.
 */
#include "bench.h"

#include "halo/halo.h"

static void by_subarray(struct bench_run *r)
{
    halo_run(r, halo_post, halo_wait);
}

static void by_packing(struct bench_run *r)
{
    halo_run(r, halo_post_packed, halo_wait_and_unpack);
}

static void by_neighborhood(struct bench_run *r)
{
    halo_run(r, halo_start_neighbor, halo_end_neighbor);
}

static void by_persistent_requests(struct bench_run *r)
{
    halo_persistent_begin(r);
    halo_run(r, halo_start, halo_wait);
    halo_requests_end(r);
}

static void by_partitions(struct bench_run *r)
{
    halo_partitioned_begin(r);
    halo_run(r, halo_start_parts, halo_wait_and_unpack);
    halo_requests_end(r);
}

static const struct bench bench = {
    .name = "halo",
    .about = "halo exchange on a grid of ranks, in five ways",
    .title = "MPI@ Halo Exchange",
    .ranks = { .min = 2 },
    .sizes = { .min = 8, .max = 32 * KiB },
    .counts = &counts_collective,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_CHECK,
    .element = ELEMENT_DOUBLE,
    .parameter = { .name = "Computation in percent of the exchange",
                   .key = "compute_percent",
                   .option = "compute",
                   .argument = "PERCENT[,...]",
                   .help = "computation during the exchange; in percent of its "
                           "time alone; for each a section of the table",
                   .fallback = "0",
                   .most = 10000 },
    .flow = &flow_halo,
    .loop = BINDS_BUFFERS | STARTS_AGAIN,
    .timed = TIMED_ALL,
    .operations = { { "subarray", by_subarray },
                    { "packed", by_packing },
                    { "neighbor", by_neighborhood },
                    { "persistent", by_persistent_requests },
                    { "partitioned", by_partitions } },
    .report = &report_halo,
    .family = &halo_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
