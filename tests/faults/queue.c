/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * queue.c - no fault: counts the messages of FAULT_BYTES that rank 0 has
 *           outstanding, between MPI_Isend and the MPI_Waitall that names them.
 *
 *   FAULT_US     a message is not complete before so long after it was posted
 *   FAULT_TRACE  file for "most N least N": at most outstanding; and at least,
 *                when MPI_Waitall had returned and a further message was posted
 */
#include <stdio.h>
#include <time.h>

#include "fault.h"

enum { ROOM = 1 << 16 };

static struct {
    MPI_Request *request; /* the array that the program passes */
    double due;
} posted[ROOM];
static long oldest, newest, most, least = ROOM, before_last = ROOM;

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    const int result = PMPI_Isend(buffer, count, type, to, tag, comm, request);

    if (fault_rank() != 0 || fault_size(count, type) != (size_t)fault_number("FAULT_BYTES", 1000))
        return result;
    if (before_last < least) /* more came: that was not the end of a window */
        least = before_last;
    before_last = ROOM;
    posted[newest % ROOM].request = request;
    posted[newest % ROOM].due = now() + 1e-6 * (double)fault_number("FAULT_US", 0);
    newest++;
    if (newest - oldest > most)
        most = newest - oldest;
    return result;
}

int MPI_Waitall(int n, MPI_Request request[], MPI_Status status[])
{
    const int result = PMPI_Waitall(n, request, status);
    const long before = oldest;

    while (oldest < newest && posted[oldest % ROOM].request >= request &&
           posted[oldest % ROOM].request < request + n) {
        while (now() < posted[oldest % ROOM].due)
            ;
        oldest++;
    }
    if (oldest > before && oldest < newest)
        before_last = newest - oldest;
    return result;
}

int MPI_Finalize(void)
{
    const char *name = getenv("FAULT_TRACE");
    FILE *file = fault_rank() == 0 && name != NULL ? fopen(name, "w") : NULL;

    if (file != NULL) {
        fprintf(file, "most %ld least %ld\n", most, least);
        fclose(file);
    }
    return fault_finalize();
}
