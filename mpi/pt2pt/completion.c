/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * completion - one-way latency for five ways of detecting completion
 *
 *     rank 0   put or send ------> notice        rank 1
 *              notice      <------ put or send
 *
 * memory   puts; the target reads the last byte of its window until it changes.
 *          MPI does not define the order within a put, so this is a lower bound
 *          for noticing a message, not a method for programs.
 * flush    puts, a flush, and an empty message that the target receives.
 * test     messages, and MPI_Test until the message has arrived.
 * wait     messages, and MPI_Wait.
 * yield    messages, and MPI_Test; the process yields its CPU between two
 *          tests.
 * Sample   one round trip, timed on rank 0.
 * Printed  half of it, in us, mean over all iterations; after the last section
 *          of the table all five next to each other, and how much longer each
 *          takes than the first.
 *
 * Sizes    bytes of each put or message. An empty one has no last byte, so
 *          memory has no row for it. The windows are those of MPI_Win_allocate.
 *
 * A little longer than 60 lines: it measures five ways to notice a message.
 */
#include "bench.h"
#include "rma/arrival.h"

static void by_memory(struct bench_run *r)
{
    arrival_begin(r);
    arrival_ping_pong(r, arrival_put_another, arrival_in_memory);
    arrival_end(r);
}

static void by_flush(struct bench_run *r)
{
    MPI_Win_lock_all(0, rma_of(r)->win);
    arrival_ping_pong(r, arrival_put_and_tell, arrival_told);
    MPI_Win_unlock_all(rma_of(r)->win);
}

static void by_test(struct bench_run *r)
{
    arrival_ping_pong(r, arrival_send, arrival_by_test);
}

static void by_wait(struct bench_run *r)
{
    arrival_ping_pong(r, arrival_send, arrival_by_wait);
}

static void by_yield(struct bench_run *r)
{
    arrival_ping_pong(r, arrival_send, arrival_by_yield);
}

static const struct bench bench = {
    .name = "completion",
    .about = "one-way latency for five ways of detecting completion",
    .title = "MPI@ Completion Test",
    .ranks = { .min = 2, .max = 2 },
    .sizes = { .min = 1, .max = 4 * MiB },
    .counts = &counts_latency,
    .takes = TAKES_SIZES | TAKES_ITERATIONS | TAKES_CHECK | TAKES_CREATION,
    .flow = &flow_put_watched,
    .loop = BACK_TO_BACK | BINDS_BUFFERS,
    .timed = TIMED_RANK_0,
    .operations = { { "memory", by_memory },
                    { "flush", by_flush },
                    { "test", by_test },
                    { "wait", by_wait },
                    { "yield", by_yield } },
    .report = &report_round_trip,
    .family = &rma_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
