/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * jump.c - an MPI that changes its protocol at some size, and a clock that
 *          nothing else moves, so that no other load shows in it.
 *
 *   FAULT_BYTES  the largest size that is sent without delay; default 1000
 *
 * CLOCK_MONOTONIC (--clock=posix) goes on by 1 ns with each reading, and with
 * each MPI_Send by 1 us, 1 ns for ten bytes, and 5 us more beyond that size.
 */
#include <stdint.h>
#include <time.h>

#include "fault.h"

static int64_t spent_ns;

int clock_gettime(clockid_t clock, struct timespec *t)
{
    static int (*next)(clockid_t, struct timespec *);
    static int64_t begun_ns;

    if (next == NULL)
        *(void **)&next = dlsym(RTLD_NEXT, "clock_gettime");
    if (clock != CLOCK_MONOTONIC)
        return next(clock, t);
    if (begun_ns == 0) {
        next(clock, t);
        begun_ns = (int64_t)t->tv_sec * 1000000000 + t->tv_nsec;
    }
    const int64_t ns = begun_ns + ++spent_ns;
    t->tv_sec = ns / 1000000000;
    t->tv_nsec = ns % 1000000000;
    return 0;
}

int MPI_Send(const void *buffer, int count, MPI_Datatype type, int to, int tag,
             MPI_Comm comm)
{
    const size_t bytes = fault_size(count, type);

    spent_ns += 1000 + (int64_t)bytes / 10;
    if (bytes > (size_t)fault_number("FAULT_BYTES", 1000))
        spent_ns += 5000;
    return PMPI_Send(buffer, count, type, to, tag, comm);
}
