/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * loaded.c - the network is slow, but only while congestors of impact run.
 *
 * They run from the message that lets victims begin to the one that ends them, on the
 * rank that receives and sends these (impact.h).  There a message of FAULT_BYTES is
 * received FAULT_US microseconds late.
 */
#include <stdbool.h>
#include <time.h>

#include "fault.h"

enum { GO = 11, STOP = 12 };

static bool loaded;

int MPI_Recv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status *status)
{
    const int code = FAULT_BELOW(Recv)(buffer, count, type, from, tag, comm, status);
    const long us = fault_number("FAULT_US", 0);

    if (loaded && (long)fault_size(count, type) == fault_number("FAULT_BYTES", 1000))
        nanosleep(&(struct timespec){ us / 1000000, us % 1000000 * 1000 }, NULL);
    return code;
}

int PMPI_Recv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Status *status)
{
    const int code = FAULT_BELOW(Recv)(buffer, count, type, from, tag, comm, status);

    if (tag == GO && count == 0)
        loaded = true;
    return code;
}

int PMPI_Send(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    if (tag == STOP && count == 0)
        loaded = false;
    return FAULT_BELOW(Send)(buffer, count, type, to, tag, comm);
}
