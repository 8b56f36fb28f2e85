/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * named.c - one collective operation is slow, or delivers wrong data.
 *
 *   FAULT=MPI_...   its name
 *   FAULT_US        it takes so many us longer on all ranks; 0 or unset: one bit of
 *                   what a rank receives differs, in the first byte, or of a
 *                   broadcast in the last
 *
 * Only operations on MPI_COMM_WORLD are meant, which the harness does not use for its own
 * data.
 */
#include <time.h>

#include "fault.h"

static bool meant(const char *name, MPI_Comm comm)
{
    return comm == MPI_COMM_WORLD && fault_is(name);
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Ranks of a busy machine must not wait for one that spins. */
static void take_long(long us)
{
    const double end = now() + 1e-6 * (double)us;

    if (us >= 1000)
        nanosleep(&(struct timespec){ us / 1000000, us % 1000000 * 1000 }, NULL);
    while (now() < end)
        continue;
}

/* The operation that returned this is over; to: what this rank received, or NULL. */
static int spoil(int result, const char *name, MPI_Comm comm, void *to)
{
    const long us = fault_number("FAULT_US", 0);

    if (!meant(name, comm))
        return result;
    if (us > 0)
        take_long(us);
    else if (to != NULL)
        *(char *)to ^= 16; /* no sum may round it away */
    return result;
}

static void *at_root(void *to, int root)
{
    int rank;

    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank == root ? to : NULL;
}

static void *elsewhere(void *to, int root)
{
    return at_root(to, root) != NULL || to == MPI_IN_PLACE ? NULL : to;
}

int MPI_Allgather(const void *send, int n, MPI_Datatype type, void *recv, int m,
                  MPI_Datatype recv_type, MPI_Comm comm)
{
    return spoil(PMPI_Allgather(send, n, type, recv, m, recv_type, comm), __func__, comm, recv);
}

int MPI_Allgatherv(const void *send, int n, MPI_Datatype type, void *recv, const int *counts,
                   const int *displs, MPI_Datatype recv_type, MPI_Comm comm)
{
    return spoil(PMPI_Allgatherv(send, n, type, recv, counts, displs, recv_type, comm), __func__,
                 comm, recv);
}

int MPI_Allreduce(const void *send, void *recv, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    return spoil(PMPI_Allreduce(send, recv, n, type, op, comm), __func__, comm, recv);
}

int MPI_Alltoall(const void *send, int n, MPI_Datatype type, void *recv, int m,
                 MPI_Datatype recv_type, MPI_Comm comm)
{
    return spoil(PMPI_Alltoall(send, n, type, recv, m, recv_type, comm), __func__, comm, recv);
}

int MPI_Alltoallv(const void *send, const int *counts, const int *displs, MPI_Datatype type,
                  void *recv, const int *recv_counts, const int *recv_displs,
                  MPI_Datatype recv_type, MPI_Comm comm)
{
    return spoil(
        PMPI_Alltoallv(send, counts, displs, type, recv, recv_counts, recv_displs, recv_type, comm),
        __func__, comm, recv);
}

int MPI_Bcast(void *buffer, int n, MPI_Datatype type, int root, MPI_Comm comm)
{
    return spoil(PMPI_Bcast(buffer, n, type, root, comm), __func__, comm,
                 elsewhere((char *)buffer + fault_size(n, type) - 1, root));
}

int MPI_Exscan(const void *send, void *recv, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    return spoil(PMPI_Exscan(send, recv, n, type, op, comm), __func__, comm, recv);
}

int MPI_Gather(const void *send, int n, MPI_Datatype type, void *recv, int m,
               MPI_Datatype recv_type, int root, MPI_Comm comm)
{
    return spoil(PMPI_Gather(send, n, type, recv, m, recv_type, root, comm), __func__, comm,
                 at_root(recv, root));
}

int MPI_Gatherv(const void *send, int n, MPI_Datatype type, void *recv, const int *counts,
                const int *displs, MPI_Datatype recv_type, int root, MPI_Comm comm)
{
    return spoil(PMPI_Gatherv(send, n, type, recv, counts, displs, recv_type, root, comm), __func__,
                 comm, at_root(recv, root));
}

int MPI_Reduce(const void *send, void *recv, int n, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm)
{
    return spoil(PMPI_Reduce(send, recv, n, type, op, root, comm), __func__, comm,
                 at_root(recv, root));
}

int MPI_Reduce_local(const void *in, void *inout, int n, MPI_Datatype type, MPI_Op op)
{
    return spoil(PMPI_Reduce_local(in, inout, n, type, op), __func__, MPI_COMM_WORLD, inout);
}

int MPI_Reduce_scatter(const void *send, void *recv, const int *counts, MPI_Datatype type,
                       MPI_Op op, MPI_Comm comm)
{
    return spoil(PMPI_Reduce_scatter(send, recv, counts, type, op, comm), __func__, comm, recv);
}

int MPI_Reduce_scatter_block(const void *send, void *recv, int n, MPI_Datatype type, MPI_Op op,
                             MPI_Comm comm)
{
    return spoil(PMPI_Reduce_scatter_block(send, recv, n, type, op, comm), __func__, comm, recv);
}

int MPI_Scan(const void *send, void *recv, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    return spoil(PMPI_Scan(send, recv, n, type, op, comm), __func__, comm, recv);
}

int MPI_Scatter(const void *send, int n, MPI_Datatype type, void *recv, int m,
                MPI_Datatype recv_type, int root, MPI_Comm comm)
{
    return spoil(PMPI_Scatter(send, n, type, recv, m, recv_type, root, comm), __func__, comm,
                 elsewhere(recv, root));
}

int MPI_Scatterv(const void *send, const int *counts, const int *displs, MPI_Datatype type,
                 void *recv, int m, MPI_Datatype recv_type, int root, MPI_Comm comm)
{
    return spoil(PMPI_Scatterv(send, counts, displs, type, recv, m, recv_type, root, comm),
                 __func__, comm, elsewhere(recv, root));
}
