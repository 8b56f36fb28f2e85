/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * completion - half a round trip, by how the receiver finds a message complete
 *
 *     rank 0   put or send ------> notice        rank 1
 *              notice      <------ put or send
 *
 * memory   puts, and the target reads the last byte of its window until it has
 *          changed: MPI says nothing of order within a put, so that this is the
 *          least that noticing can cost, not a way for a program to take.
 * flush    puts, a flush, and an empty message that the target receives.
 * test     messages, and MPI_Test until it is there.
 * wait     messages, and MPI_Wait.
 * yield    messages, and MPI_Test; the processor is given up between two tests.
 * Sample   one round trip, seen by rank 0.
 * Printed  half of it, in us, mean over all laps; behind the last block all side
 *          by side, and how much more they take than the first.
 *
 * Sizes    each put or message, of which an empty one has no last byte; windows
 *          are those of MPI_Win_allocate.
 *
 * Longer than 60 lines: five ways to notice are what is measured.
 */
#include <sched.h>
#include <stdatomic.h>

#include "bench.h"
#include "rma.h"

enum {
    PATIENCE = 1000
}; /* looks, before MPI is called: it may have to move
                             the data itself */

typedef void step(struct bench_run *r);

__attribute__((always_inline)) static inline void
ping_pong(struct bench_run *r, step *send, step *notice)
{
    if (r->rank == 0) {
        while (bench_lap(r)) {
            send(r);
            notice(r);
        }
    } else {
        while (bench_lap(r)) {
            notice(r);
            send(r);
        }
    }
}

static void put(struct bench_run *r)
{
    MPI_Put(r->send, r->count, r->type, r->peer, rma_place(r, 0), r->count,
            r->type, r->rma->win);
    MPI_Win_flush(r->peer, r->rma->win);
}

static void put_and_tell(struct bench_run *r)
{
    put(r);
    MPI_Send(NULL, 0, MPI_BYTE, r->peer, BENCH_TAG, r->comm);
}

static void be_told(struct bench_run *r)
{
    MPI_Recv(NULL, 0, MPI_BYTE, r->peer, BENCH_TAG, r->comm, MPI_STATUS_IGNORE);
}

static void send(struct bench_run *r)
{
    MPI_Send(r->send, r->count, r->type, r->peer, BENCH_TAG, r->comm);
}

static MPI_Request receive(struct bench_run *r)
{
    MPI_Request request;

    MPI_Irecv(r->recv, r->count, r->type, r->peer, BENCH_TAG, r->comm,
              &request);
    return request;
}

static void test(struct bench_run *r)
{
    MPI_Request request = receive(r);

    for (int done = 0; !done;)
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
}

static void wait(struct bench_run *r)
{
    MPI_Request request = receive(r);

    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void test_and_yield(struct bench_run *r)
{
    MPI_Request request = receive(r);
    int done;

    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    while (!done) {
        sched_yield();
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
}

/* The last byte of what arrives, and another one. */
static unsigned char theirs, other;

static volatile unsigned char *last_byte(struct bench_run *r)
{
    return (unsigned char *)r->recv + r->bytes - 1;
}

static void see_change(struct bench_run *r)
{
    volatile unsigned char *last = last_byte(r);

    for (long looks = 1; *last == other; looks++)
        if (looks % PATIENCE == 0) {
            int any;

            MPI_Iprobe(r->peer, BENCH_TAG, r->comm, &any, MPI_STATUS_IGNORE);
        }
    atomic_thread_fence(memory_order_acquire);
    *last = other; /* the peer puts again when it has seen the answer */
}

static void by_memory(struct bench_run *r)
{
    const unsigned char mine = ((unsigned char *)r->send)[r->bytes - 1];

    MPI_Sendrecv(&mine, 1, MPI_BYTE, r->peer, BENCH_TAG, &theirs, 1, MPI_BYTE,
                 r->peer, BENCH_TAG, r->comm, MPI_STATUS_IGNORE);
    other = (unsigned char)~theirs;
    MPI_Win_lock_all(0, r->rma->win);
    *last_byte(r) = other;
    MPI_Win_sync(r->rma->win);
    bench_sync(r);
    ping_pong(r, put, see_change);
    *last_byte(r) = theirs; /* as it came */
    MPI_Win_sync(r->rma->win);
    MPI_Win_unlock_all(r->rma->win);
}

static void by_flush(struct bench_run *r)
{
    MPI_Win_lock_all(0, r->rma->win);
    ping_pong(r, put_and_tell, be_told);
    MPI_Win_unlock_all(r->rma->win);
}

static void by_test(struct bench_run *r)
{
    ping_pong(r, send, test);
}

static void by_wait(struct bench_run *r)
{
    ping_pong(r, send, wait);
}

static void by_yield(struct bench_run *r)
{
    ping_pong(r, send, test_and_yield);
}

static const struct bench bench = {
    .name = "completion",
    .about = "half a round trip, by how the receiver finds a message complete",
    .title = "OSU MPI@ Completion Test",
    .ranks = { .min = 2, .max = 2 },
    .sizes = { .min = 1, .max = 4 * MiB },
    .counts = &counts_latency,
    .takes = TAKES_SIZES | TAKES_LAPS | TAKES_CHECK,
    .flow = &flow_put_both_ways,
    .strides = true,
    .bound = true,
    .timed = TIMED_RANK_0,
    .operations = { { "memory", by_memory, .unified = true },
                    { "flush", by_flush },
                    { "test", by_test },
                    { "wait", by_wait },
                    { "yield", by_yield } },
    .report = &report_half_round_trip,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
