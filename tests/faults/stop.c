/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stop.c - one call ends the progress of one rank.
 *
 *   FAULT=hang   it never returns; also in MPI_Init and MPI_Finalize
 *   FAULT=late   MPI_Init takes three seconds longer, on every rank
 *   FAULT=error  it is made with a rank that does not exist, so that MPI itself
 *                finds an error and calls the error handler
 *   FAULT=crash  it ends the process by the signal FAULT_SIGNAL
 *   FAULT_CALL   the function, for example MPI_Send
 *   FAULT_NTH    which of the calls that match, counted from 1 (the default)
 */
#include <signal.h>
#include <unistd.h>

#include "fault.h"

enum { NOBODY = 12345 }; /* no rank */

/* The rank to call with: the right one, unless the fault is due now. */
static int partner(const char *call, size_t bytes, int right)
{
    static long seen;
    const char *wanted = getenv("FAULT_CALL");

    if (wanted == NULL || strcmp(call, wanted) != 0 || !fault_hits(bytes) ||
        ++seen != fault_number("FAULT_NTH", 1))
        return right;
    while (fault_is("hang"))
        pause();
    if (fault_is("crash"))
        raise((int)fault_number("FAULT_SIGNAL", SIGSEGV));
    return fault_is("error") ? NOBODY : right;
}

int MPI_Send(const void *buffer, int count, MPI_Datatype type, int to, int tag,
             MPI_Comm comm)
{
    return PMPI_Send(buffer, count, type,
                     partner("MPI_Send", fault_size(count, type), to), tag,
                     comm);
}

int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag,
              MPI_Comm comm, MPI_Request *request)
{
    return PMPI_Isend(buffer, count, type,
                      partner("MPI_Isend", fault_size(count, type), to), tag,
                      comm, request);
}

int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root,
              MPI_Comm comm)
{
    return PMPI_Bcast(buffer, count, type,
                      partner("MPI_Bcast", fault_size(count, type), root),
                      comm);
}

int MPI_Put(const void *origin, int count, MPI_Datatype type, int target,
            MPI_Aint place, int target_count, MPI_Datatype target_type,
            MPI_Win win)
{
    return PMPI_Put(origin, count, type,
                    partner("MPI_Put", fault_size(count, type), target), place,
                    target_count, target_type, win);
}

static void stop_in(const char *call)
{
    const char *wanted = getenv("FAULT_CALL");

    while (fault_is("hang") && wanted != NULL && strcmp(wanted, call) == 0 &&
           fault_rank() == fault_number("FAULT_RANK", 1))
        pause();
}

int MPI_Init(int *argc, char ***argv)
{
    stop_in("MPI_Init");
    if (fault_is("late"))
        sleep(3);
    return PMPI_Init(argc, argv);
}

int MPI_Finalize(void)
{
    stop_in("MPI_Finalize");
    return fault_finalize();
}
