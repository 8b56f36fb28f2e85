/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * preempt.c - a rank that loses its CPU: in every N-th batch an iteration takes longer, and
 *             the kernel seems to say why.  A batch is what lies between two questions for
 *             the context switches of the thread (job/interference.h).
 *
 *   FAULT=taken    it says that the CPU was taken from the rank
 *   FAULT=given    that, and that the rank gave its CPU away to wait
 *   FAULT=silent   nothing: the delay is the library's or the network's
 *   FAULT=warmup   nothing: it was lost in the first FAULT_CALLS calls, before there are batches
 *
 *   FAULT_NTH      every so many batches; default 2
 *   FAULT_US       how much longer, in us
 *   FAULT_RANK     on this rank
 *   FAULT_BYTES    in messages, or operands, of this size; default 1000
 */
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "fault.h"

/* Calls of a batch before the long one: its lead-in, which a batch of one call lacks, as the one
   before tells; the first has one. */
static long spared = 1, questions, calls, lost;

static bool here(void)
{
    static int rank = -1;

    if (rank < 0)
        rank = fault_rank();
    return rank == fault_number("FAULT_RANK", 1);
}

/* Is a batch under way that the fault is meant for? */
static bool in_batch(void)
{
    return questions % 2 == 1 && questions / 2 % fault_number("FAULT_NTH", 2) == 0;
}

int getrusage(__rusage_who_t who, struct rusage *usage)
{
    const int result = (int)syscall(SYS_getrusage, who, usage);

    if (who == RUSAGE_THREAD && here()) {
        if (in_batch() && calls > spared)
            lost++;
        if (questions++ % 2 == 1 && calls > 0)
            spared = calls > 1 ? 1 : 0;
        calls = 0;
    }
    /* Nothing but what is planted: the machine of a test may be busy. */
    usage->ru_nivcsw = fault_is("silent") || fault_is("warmup") ? 0 : lost;
    usage->ru_nvcsw = fault_is("given") ? lost : 0;
    usage->ru_utime = usage->ru_stime = (struct timeval){ 0, 0 };
    return result;
}

static bool is_long(void)
{
    static long made;

    if (fault_is("warmup"))
        return made++ < fault_number("FAULT_CALLS", 0);
    return calls++ == spared && in_batch();
}

static void delay(size_t bytes)
{
    struct timespec begun, now;

    if (bytes != (size_t)fault_number("FAULT_BYTES", 1000) || !here() || !is_long())
        return;
    clock_gettime(CLOCK_MONOTONIC, &begun);
    do
        clock_gettime(CLOCK_MONOTONIC, &now);
    while (1e6 * (double)(now.tv_sec - begun.tv_sec) +
               1e-3 * (double)(now.tv_nsec - begun.tv_nsec) <
           (double)fault_number("FAULT_US", 0));
}

int MPI_Send(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    delay(fault_size(count, type));
    return PMPI_Send(buffer, count, type, to, tag, comm);
}

int MPI_Reduce_local(const void *in, void *inout, int count, MPI_Datatype type, MPI_Op op)
{
    delay(fault_size(count, type));
    return PMPI_Reduce_local(in, inout, count, type, op);
}

int MPI_Allreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    delay(fault_size(count, type));
    return PMPI_Allreduce(in, out, count, type, op, comm);
}

int MPI_Iallreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm, MPI_Request *request)
{
    delay(fault_size(count, type));
    return PMPI_Iallreduce(in, out, count, type, op, comm, request);
}
