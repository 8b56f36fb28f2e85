/* SPDX-License-Identifier: BSD-3-Clause */
#include "report_kinds.h"

#include "neighbors/topology.h"
#include "report.h"
#include "report_columns.h"

static void pairs_and_window(FILE *to, const struct bench_run *r,
                             const struct settings *s, const char *direction)
{
    if (s->vary_window)
        fprintf(to,
                "# [ pairs: %d ] [ window size: varied ]\n\n"
                "# %s-directional Bandwidth (MB/sec)\n",
                r->pairs, direction);
    else
        fprintf(to, "# [ pairs: %d ] [ window size: %d ]\n", r->pairs,
                r->window);
}

void report_pairs_line(FILE *to, const struct bench_run *r,
                       const struct settings *s)
{
    pairs_and_window(to, r, s, "Uni");
}

void report_pairs_line_both_ways(FILE *to, const struct bench_run *r,
                                 const struct settings *s)
{
    pairs_and_window(to, r, s, "Bi");
}

void report_overall_line(FILE *to, const struct bench_run *r,
                         const struct settings *s)
{
    (void)r;
    (void)s;
    fputs("# Overall = Coll. Init + Compute + MPI_Test + MPI_Wait\n\n", to);
}

void report_thread_lines(FILE *to, const struct bench_run *r,
                         const struct settings *s)
{
    (void)r;
    fprintf(to,
            "# Number of Sender threads: %d \n"
            "# Number of Receiver threads: %d\n",
            s->threads[0], s->threads[1]);
}

void report_process_lines(FILE *to, const struct bench_run *r,
                          const struct settings *s)
{
    (void)r;
    fprintf(to,
            "# Number of forked processes in sender: %d\n"
            "# Number of forked processes in receiver: %d\n",
            s->processes[0], s->processes[1]);
}

void report_topology_lines(FILE *to, const struct bench_run *r,
                           const struct settings *s)
{
    const struct topology *t = r->topology;

    (void)s;

    if (t->dimensions > 0) {
        fputs("Dimensions size = ", to);
        for (int d = 0; d < t->dimensions; d++)
            fprintf(to, "%d ", t->dim[d]);
        fputc('\n', to);
    }
    fprintf(to, "Time took to create topology graph:%.2f us.\n",
            1e6 * t->create_s);
}

void report_init_line(FILE *to, const struct result *r)
{
    fprintf(to, "nprocs: %d, min: %.0f ms, max: %.0f ms, avg: %.0f ms\n",
            r->ranks, 1e3 * r->mean_min, 1e3 * r->mean_max, 1e3 * r->mean);
}

void report_steps(FILE *to, const struct result *r)
{
    fprintf(to, "# before_init: in steps of %.0fms;\n", 1e3 * r->tick_s);
    fprintf(to, "%-16s%18s%18s%18s\n", "# Step", "Mean(us)", "Min(us)",
            "Max(us)");
    for (int i = 0; i < r->nsteps; i++)
        fprintf(to, "%-16s%18.2f%18.2f%18.2f\n", r->step[i].name,
                1e6 * r->step[i].mean, 1e6 * r->step[i].min,
                1e6 * r->step[i].max);
}

void report_hello_line(FILE *to, const struct result *r)
{
    fprintf(to, "This is a test with %d processes\n", r->ranks);
}

/* What each kind of benchmark prints: constant tables. */

const struct report report_half_round_trip = {
    .unit = "us",
    .sample = "one round trip, seen by the first rank of a pair",
    .printed = "half of it, in us, mean over laps and pairs",
    .scale = 0.5,
    .headline = report_latency_columns,
    .empty_line = true,
};
const struct report report_exchange = {
    .unit = "us",
    .sample = "one message each way at once, seen by rank 0",
    .printed = "us until both have arrived, mean over laps",
    .scale = 1,
    .headline = report_latency_columns,
    .empty_line = true,
};
const struct report report_overhead = {
    .unit = "us",
    .sample = "the calls of one message, seen by rank 0, which sends",
    .printed = "us inside the calls, mean over laps, of the sender and of the "
               "receiver; and half a round trip without computation",
    .scale = 1,
    .headline = report_overhead_columns,
    .full = report_overhead_full,
    .empty_line = true,
};
const struct report report_hot_spot = {
    .unit = "us",
    .sample = "one message between rank 0 and each of the others, and an empty "
              "one the other way, seen by rank 0",
    .printed = "us for a message, mean over laps; and payload / mean time, of "
               "all together and of each, in MB/s (10^6 bytes)",
    .scale = 1,
    .headline = report_hot_spot_columns,
    .empty_line = true,
};
const struct report report_pair_matrix = {
    .unit = "us",
    .sample = "a round trip with each other rank, on every rank, added up",
    .printed = "half of one, in us, mean over partners, laps and ranks",
    .scale = 0.5,
    .headline = report_latency_columns,
    .full = report_collective_full,
    .empty_line = true,
};
const struct report report_threads = {
    .unit = "us",
    .sample = "one round trip, seen by a thread of the first rank",
    .printed = "half of it, in us, mean over laps of all its threads",
    .scale = 0.5,
    .headline = report_latency_columns,
    .empty_line = true,
    .before = report_thread_lines,
};
const struct report report_forked = {
    .unit = "us",
    .sample = "one round trip, seen by the first rank",
    .printed = "half of it, in us, mean over laps",
    .scale = 0.5,
    .headline = report_latency_columns,
    .empty_line = true,
    .before = report_process_lines,
};
const struct report report_bandwidth = {
    .unit = "MB/s",
    .sample = "one window of messages and its acknowledgement",
    .printed = MB_PER_S ", one direction), payload / mean time",
    .directions = 1,
    .headline = report_bandwidth_columns,
    .empty_line = true,
};
const struct report report_overlap_bandwidth = {
    .unit = "MB/s",
    .sample = "one window of messages, a computation and the acknowledgement",
    .printed = MB_PER_S ", one direction), payload / mean time; its share of "
                        "that without computation; and the computation's "
                        "share of the time",
    .directions = 1,
    .headline = report_overlap_bandwidth_columns,
    .empty_line = true,
};
const struct report report_both_ways = {
    .unit = "MB/s",
    .sample = "one window of messages in either direction",
    .printed = MB_PER_S ", sum of both directions), payload / mean time",
    .directions = 2,
    .headline = report_bandwidth_columns,
    .empty_line = true,
};
const struct report report_fan = {
    .unit = "MB/s",
    .sample = "windows to or from the first group and their acknowledgements, "
              "on every sender",
    .printed = MB_PER_S ", sum of all windows), payload / mean time of the "
                        "senders",
    .directions = 1,
    .headline = report_bandwidth_columns,
    .empty_line = true,
};
const struct report report_message_rate = {
    .unit = "MB/s",
    .sample = "one window and its acknowledgement, on every sender",
    .printed = MB_PER_S ", sum of all pairs), payload / mean time of the "
                        "senders; and messages per second",
    .directions = 1,
    .headline = report_rate_columns,
    .preamble = report_pairs_line,
};
const struct report report_rate_both_ways = {
    .unit = "MB/s",
    .sample = "one window in either direction, on the first rank of each pair",
    .printed = MB_PER_S ", sum of all pairs and both directions), payload / "
                        "mean time of the first ranks; and messages per second",
    .directions = 2,
    .headline = report_rate_columns,
    .preamble = report_pairs_line_both_ways,
};
const struct report report_collective = {
    .unit = "us",
    .sample = "one call, on every rank, after all were brought together",
    .printed = "us, mean over laps, then over ranks",
    .scale = 1,
    .headline = report_latency_columns,
    .full = report_collective_full,
    .empty_line = true,
};
const struct report report_barrier = {
    .unit = "us",
    .sample = "one call, on every rank, after all were brought together",
    .printed = "us, mean over laps, then over ranks",
    .scale = 1,
    .headline = report_latency_columns,
    .full = report_collective_full,
    .empty_line = true,
    .no_type_line = true,
};
const struct report report_neighbors = {
    .unit = "us",
    .sample = "one call, on every rank, after all were brought together",
    .printed = "us, mean over laps, then over ranks",
    .scale = 1,
    .headline = report_latency_columns,
    .full = report_collective_full,
    .empty_line = true,
    .before = report_topology_lines,
};
#define OVERLAP                                                                \
    .unit = "us", .sample = "start, computation and wait, on every rank",      \
    .printed = "us, means over laps, then over ranks; overlap in percent of "  \
               "the pure time",                                                \
    .scale = 1, .headline = report_overlap_columns,                            \
    .full = report_overlap_full, .empty_line = true,                           \
    .preamble = report_overall_line

const struct report report_overlap = { OVERLAP };
const struct report report_overlap_alone = { OVERLAP, .no_type_line = true };
const struct report report_neighbors_overlap = { OVERLAP,
                                                 .before =
                                                     report_topology_lines };
const struct report report_init = {
    .unit = "us",
    .sample = "the call of MPI_Init, on every rank",
    .printed = "ms, rounded; minimum, maximum and mean over ranks",
    .scale = 1,
    .line = report_init_line,
    .steps = true,
};
const struct report report_hello = {
    .sample = "none",
    .printed = "the number of ranks; to be timed from outside",
    .scale = 1,
    .line = report_hello_line,
};
