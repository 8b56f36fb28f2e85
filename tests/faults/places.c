/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * places.c - the places of messages of FAULT_BYTES in memory.
 *
 *   FAULT_TRACE   file, to which .RANK is added, for "CALL BYTES at N", N
 *                 counted from the first place that the call was given
 *   FAULT_US      a blocking receive takes so much longer, but not into
 *   FAULT_PLACES  the first N places
 *   FAULT_SPOIL   a blocking receive into place N, from 0, gets one bit wrong
 */
#include <stdio.h>
#include <time.h>

#include "fault.h"

enum { MOST = 4096 };

struct places {
    const char *call;
    const void *at[MOST];
    int n;
};

static struct places sent = { "MPI_Send" }, posted = { "MPI_Isend" };
static struct places received = { "MPI_Recv" }, expected = { "MPI_Irecv" };
static FILE *trace;

static void begin(void)
{
    const char *name = getenv("FAULT_TRACE");
    char path[4096];

    if (trace != NULL || name == NULL)
        return;
    snprintf(path, sizeof path, "%s.%d", name, fault_rank());
    trace = fopen(path, "w");
}

/* Note the place, and return its number; -1: not a message of FAULT_BYTES. */
static int note(struct places *p, const void *at, int count, MPI_Datatype type)
{
    int i = 0;

    if (fault_size(count, type) != (size_t)fault_number("FAULT_BYTES", 1000))
        return -1;
    while (i < p->n && p->at[i] != at)
        i++;
    if (i == MOST)
        abort();
    if (i == p->n)
        p->at[p->n++] = at;
    begin();
    if (trace != NULL)
        fprintf(trace, "%s %zu at %d\n", p->call, fault_size(count, type), i);
    return i;
}

int MPI_Send(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    note(&sent, buffer, count, type);
    return PMPI_Send(buffer, count, type, to, tag, comm);
}

int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    note(&posted, buffer, count, type);
    return PMPI_Isend(buffer, count, type, to, tag, comm, request);
}

int MPI_Irecv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    note(&expected, buffer, count, type);
    return PMPI_Irecv(buffer, count, type, from, tag, comm, request);
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int MPI_Recv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status *status)
{
    const int place = note(&received, buffer, count, type);
    const int result = PMPI_Recv(buffer, count, type, from, tag, comm, status);
    const double begun = now();

    if (place >= 0 && place == fault_number("FAULT_SPOIL", -1))
        *(char *)buffer ^= 1;
    while (place >= fault_number("FAULT_PLACES", MOST) &&
           now() - begun < 1e-6 * (double)fault_number("FAULT_US", 0))
        continue;
    return result;
}

int MPI_Finalize(void)
{
    if (trace != NULL)
        fclose(trace);
    return fault_finalize();
}
