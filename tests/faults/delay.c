/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * delay.c - calls take longer by a known time.
 *
 *   FAULT=recv     after MPI_Recv or MPI_Sendrecv, when the message has arrived
 *   FAULT=send     in MPI_Isend
 *   FAULT=call     before a collective operation: this rank is late to it
 *   FAULT=start    after the last empty message of the harness's own barrier
 *                  (start.h): this rank is late to the start of an iteration
 *   FAULT=stagger  after the harness's own MPI_Barrier (--start=library): rank r leaves it
 *                  r times as late
 *
 *   FAULT_US       how much longer, in us; may be a fraction
 *   FAULT_BASE_US  recv: a delay in any case, whatever the elements, in us: a
 *                  rank that waits polls in other ways than one that need not,
 *                  and a comparison must not show that
 *   FAULT_GROW_NS  the delay grows by so much each time
 *   FAULT_RANK     on this rank; -1: on all
 *   FAULT_BYTES    in messages of this size, default 1000; -1: any size but 0.  For recv,
 *                  send, call
 *   FAULT_ELEMENT  whose elements are this large.  For the same
 *   FAULT_FIRST    only in the first N calls of each size and type
 *   FAULT_PERIOD   only in every N-th call
 *   FAULT_PEER     send: only to this rank; to others FAULT_BASE_US in its place
 *
 * The rank does not enter MPI, but reads the clock of the kernel until the time
 * is over.  The time that this takes beyond the delay is measured when the library
 * is loaded, and subtracted.  So the mean delay is right to some ns, and each delay
 * to one reading of the clock.  In delays above 2 ms the rank sleeps, except for
 * the last millisecond: ranks that wait may need its CPU.
 */
#include <stdint.h>
#include <time.h>

#include "fault.h"

enum { ROUNDS = 101, SPINS = 20, KINDS = 64 };

static const int64_t TRIAL = 1000;    /* ns */
static const int64_t AWAKE = 1000000; /* ns */

static struct {
    int64_t delay, base, grow, excess; /* ns */
    long rank, bytes, element, first, period, peer;
    bool recv, send, call, start, stagger;
} plan;

static int64_t now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void spin(int64_t ns)
{
    const int64_t end = now() + ns - plan.excess;

    if (ns > 2 * AWAKE)
        clock_nanosleep(CLOCK_MONOTONIC, 0,
                        &(struct timespec){ (ns - AWAKE) / 1000000000, (ns - AWAKE) % 1000000000 },
                        NULL);
    while (now() < end)
        continue;
}

static int by_value(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* The median, since an interruption makes single rounds longer. */
static int64_t excess(void)
{
    int64_t took[ROUNDS];

    for (int i = 0; i < ROUNDS; i++) {
        const int64_t before = now();

        for (int j = 0; j < SPINS; j++)
            spin(TRIAL);
        took[i] = now() - before;
    }
    qsort(took, ROUNDS, sizeof *took, by_value);
    return took[ROUNDS / 2] / SPINS - TRIAL;
}

__attribute__((constructor)) static void begin(void)
{
    const char *us = getenv("FAULT_US");

    plan.delay = us != NULL ? (int64_t)(1000 * atof(us) + 0.5) : 0;
    plan.base = 1000 * fault_number("FAULT_BASE_US", 0);
    plan.grow = fault_number("FAULT_GROW_NS", 0);
    plan.rank = fault_number("FAULT_RANK", 1);
    plan.bytes = fault_number("FAULT_BYTES", 1000);
    plan.element = fault_number("FAULT_ELEMENT", 0);
    plan.first = fault_number("FAULT_FIRST", 0);
    plan.period = fault_number("FAULT_PERIOD", 1);
    plan.peer = fault_number("FAULT_PEER", -1);
    plan.recv = fault_is("recv");
    plan.send = fault_is("send");
    plan.call = fault_is("call");
    plan.start = fault_is("start");
    plan.stagger = fault_is("stagger");
    plan.excess = excess();
}

/* Is this one of the first calls of this size and type? */
static bool early(size_t bytes, MPI_Datatype type)
{
    static struct {
        size_t bytes;
        MPI_Datatype type;
        long calls;
    } kind[KINDS];
    static int n;
    int i = 0;

    while (i < n && (kind[i].bytes != bytes || kind[i].type != type))
        i++;
    if (i == KINDS)
        abort();
    if (i == n) {
        kind[n].bytes = bytes;
        kind[n++].type = type;
    }
    return kind[i].calls++ < plan.first;
}

static bool here(void)
{
    static int rank = -1;

    if (rank < 0)
        rank = fault_rank();
    return plan.rank < 0 || rank == plan.rank;
}

static bool due(void)
{
    static long calls;

    return ++calls % plan.period == 0;
}

/* A message of the right size, on the right rank? */
static bool meant(size_t bytes)
{
    return here() && (plan.bytes < 0 ? bytes != 0 : bytes == (size_t)plan.bytes);
}

/* Is it a call with this message? */
static bool hits(int count, MPI_Datatype type)
{
    const size_t bytes = fault_size(count, type);

    if (!meant(bytes))
        return false;
    if (plan.element > 0 && fault_size(1, type) != (size_t)plan.element)
        return false;
    return (plan.first == 0 || early(bytes, type)) && due();
}

static void delay_beyond(int64_t base)
{
    static int64_t grown;

    spin(base + plan.delay + grown);
    grown += plan.grow;
}

static void delay(void)
{
    delay_beyond(0);
}

int MPI_Recv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status *status)
{
    const bool late = plan.recv && hits(count, type);
    const int result = PMPI_Recv(buffer, count, type, from, tag, comm, status);

    if (late)
        delay_beyond(plan.base);
    else if (plan.recv && plan.base > 0 && meant(fault_size(count, type)))
        spin(plan.base);
    return result;
}

int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    if (plan.send && hits(count, type)) {
        if (plan.peer < 0 || plan.peer == to)
            delay();
        else
            spin(plan.base);
    }
    return PMPI_Isend(buffer, count, type, to, tag, comm, request);
}

int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    if (plan.call && hits(count, type))
        delay();
    return PMPI_Bcast(buffer, count, type, root, comm);
}

int MPI_Allreduce(const void *mine, void *sum, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm)
{
    if (plan.call && hits(count, type))
        delay();
    return PMPI_Allreduce(mine, sum, count, type, op, comm);
}

int MPI_Alltoall(const void *out, int outs, MPI_Datatype out_type, void *in, int ins,
                 MPI_Datatype in_type, MPI_Comm comm)
{
    if (plan.call && hits(outs, out_type))
        delay();
    return PMPI_Alltoall(out, outs, out_type, in, ins, in_type, comm);
}

/* Is this the round of the barrier that reaches half of the ranks or more? */
static bool last_round(int to, MPI_Comm comm)
{
    int rank, n;

    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &n);
    return 2 * ((to - rank + n) % n) >= n;
}

int MPI_Sendrecv(const void *out, int outs, MPI_Datatype out_type, int to, int out_tag, void *in,
                 int ins, MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm,
                 MPI_Status *status)
{
    const bool late = plan.recv && hits(ins, in_type);
    const int result = FAULT_BELOW(Sendrecv)(out, outs, out_type, to, out_tag, in, ins, in_type,
                                             from, in_tag, comm, status);

    if (late)
        delay();
    return result;
}

int PMPI_Sendrecv(const void *out, int outs, MPI_Datatype out_type, int to, int out_tag, void *in,
                  int ins, MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm,
                  MPI_Status *status)
{
    const bool late =
        plan.start && outs == 0 && ins == 0 && here() && last_round(to, comm) && due();
    const int result = FAULT_BELOW(Sendrecv)(out, outs, out_type, to, out_tag, in, ins, in_type,
                                             from, in_tag, comm, status);

    if (late)
        delay();
    return result;
}

int PMPI_Barrier(MPI_Comm comm)
{
    const int result = FAULT_BELOW(Barrier)(comm);

    if (plan.stagger)
        spin(fault_rank() * plan.delay);
    return result;
}
