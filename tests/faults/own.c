/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * own.c - collectives that somebody puts before those of MPI.
 *
 *   FAULT=partial  each does what it was written for, and nothing otherwise: MPI_Allreduce and
 *                  MPI_Reduce sum floats, not in place; MPI_Gather and MPI_Bcast move
 *                  characters
 *   FAULT=more     the result of the collective FAULT_CALL, which the harness makes for itself,
 *                  is one too much on every rank if it is a single integer: of PMPI_Allreduce,
 *                  PMPI_Bcast or PMPI_Scan
 *   FAULT_NTH      only in that one of these calls, from 1; default: in all
 */
#include "fault.h"

static bool adds(const void *send, MPI_Datatype type)
{
    return !fault_is("partial") || (type == MPI_FLOAT && send != MPI_IN_PLACE);
}

static bool moves(MPI_Datatype type)
{
    return !fault_is("partial") || type == MPI_CHAR;
}

int MPI_Allreduce(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm)
{
    return adds(send, type) ? FAULT_BELOW(Allreduce)(send, recv, count, type, op, comm)
                            : MPI_SUCCESS;
}

int MPI_Reduce(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm)
{
    return adds(send, type) ? FAULT_BELOW(Reduce)(send, recv, count, type, op, root, comm)
                            : MPI_SUCCESS;
}

int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    return moves(type) ? FAULT_BELOW(Bcast)(buffer, count, type, root, comm) : MPI_SUCCESS;
}

int MPI_Gather(const void *send, int count, MPI_Datatype type, void *recv, int recv_count,
               MPI_Datatype recv_type, int root, MPI_Comm comm)
{
    return moves(type)
               ? FAULT_BELOW(Gather)(send, count, type, recv, recv_count, recv_type, root, comm)
               : MPI_SUCCESS;
}

static int spoil(int result, const char *call, int *to, int count, MPI_Datatype type)
{
    static long seen;
    const char *wanted = getenv("FAULT_CALL");
    const long nth = fault_number("FAULT_NTH", 0);

    if (fault_is("more") && wanted != NULL && strcmp(wanted, call) == 0 && count == 1 &&
        type == MPI_INT && (++seen == nth || nth == 0))
        ++*to;
    return result;
}

int PMPI_Allreduce(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm)
{
    return spoil(FAULT_BELOW(Allreduce)(send, recv, count, type, op, comm), __func__, recv, count,
                 type);
}

int PMPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    return spoil(FAULT_BELOW(Bcast)(buffer, count, type, root, comm), __func__, buffer, count,
                 type);
}

int PMPI_Scan(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    return spoil(FAULT_BELOW(Scan)(send, recv, count, type, op, comm), __func__, recv, count, type);
}
