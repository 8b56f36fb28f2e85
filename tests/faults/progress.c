/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * progress.c - messages of FAULT_BYTES that take FAULT_US, and when that time runs.
 *
 *   FAULT=early  from MPI_Isend on, as if a network card moved the data
 *   FAULT=late   in MPI_Wait only, as if the sender's CPU did
 *
 * The message itself is sent in MPI_Wait, when the time is over; until then its process
 * sleeps, since the ranks that wait may need its CPU.
 */
#include <stdint.h>
#include <time.h>

#include "fault.h"

static struct {
    MPI_Request *request; /* NULL: there is no message */
    const void *buffer;
    int count, to, tag;
    MPI_Datatype type;
    MPI_Comm comm;
    int64_t begun; /* ns */
} message;

static int64_t now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    if ((!fault_is("early") && !fault_is("late")) ||
        fault_size(count, type) != (size_t)fault_number("FAULT_BYTES", 1000))
        return PMPI_Isend(buffer, count, type, to, tag, comm, request);
    message.request = request;
    message.buffer = buffer;
    message.count = count;
    message.type = type;
    message.to = to;
    message.tag = tag;
    message.comm = comm;
    message.begun = now();
    *request = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
}

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    int64_t left = 1000 * fault_number("FAULT_US", 0);

    if (request != message.request)
        return PMPI_Wait(request, status);
    if (fault_is("early"))
        left -= now() - message.begun;
    if (left > 0)
        clock_nanosleep(CLOCK_MONOTONIC, 0,
                        &(struct timespec){ left / 1000000000, left % 1000000000 }, NULL);
    message.request = NULL;
    return PMPI_Send(message.buffer, message.count, message.type, message.to, message.tag,
                     message.comm);
}
