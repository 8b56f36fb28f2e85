/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spoil.c - an MPI whose collectives deliver wrong data, as wrong.c's do.
 *
 *   FAULT=flip    one bit of byte FAULT_AT of the received data differs;
 *                 default: the last byte of its first block
 *   FAULT=stray   a rank that receives nothing finds its buffer written to
 */
#include "fault.h"

static void spoil(void *buffer, bool receives, int count, MPI_Datatype type)
{
    const size_t bytes = fault_size(count, type);

    if (!fault_hits(bytes) || buffer == MPI_IN_PLACE)
        return;
    if (receives && fault_is("flip"))
        ((char *)buffer)[fault_number("FAULT_AT", (long)bytes - 1)] ^= 1;
    if (!receives && fault_is("stray"))
        ((char *)buffer)[0] ^= 1;
}

static bool is_rank(int rank, MPI_Comm comm)
{
    int own;

    PMPI_Comm_rank(comm, &own);
    return own == rank;
}

/* The call itself; then the buffer into which it received is changed. */
#define SPOILT(name, parameters, arguments, buffer, receives, count, type)     \
    int MPI_##name parameters                                                  \
    {                                                                          \
        const int result = PMPI_##name arguments;                              \
                                                                               \
        spoil(buffer, receives, count, type);                                  \
        return result;                                                         \
    }

/* clang-format off */
SPOILT(Alltoallv, (const void *s, const int *n, const int *d, MPI_Datatype t, void *r, const int *m, const int *e, MPI_Datatype u, MPI_Comm c),
       (s, n, d, t, r, m, e, u, c), r, true, m[0], u)
SPOILT(Alltoallw, (const void *s, const int *n, const int *d, const MPI_Datatype *t, void *r, const int *m, const int *e, const MPI_Datatype *u, MPI_Comm c),
       (s, n, d, t, r, m, e, u, c), r, true, m[0], u[0])
SPOILT(Gather, (const void *s, int n, MPI_Datatype t, void *r, int m, MPI_Datatype u, int root, MPI_Comm c),
       (s, n, t, r, m, u, root, c), r, is_rank(root, c), m, u)
SPOILT(Gatherv, (const void *s, int n, MPI_Datatype t, void *r, const int *m, const int *e, MPI_Datatype u, int root, MPI_Comm c),
       (s, n, t, r, m, e, u, root, c), r, is_rank(root, c), m[0], u)
SPOILT(Scatter, (const void *s, int n, MPI_Datatype t, void *r, int m, MPI_Datatype u, int root, MPI_Comm c),
       (s, n, t, r, m, u, root, c), r, true, m, u)
SPOILT(Scatterv, (const void *s, const int *n, const int *d, MPI_Datatype t, void *r, int m, MPI_Datatype u, int root, MPI_Comm c),
       (s, n, d, t, r, m, u, root, c), r, true, m, u)
SPOILT(Reduce, (const void *s, void *r, int n, MPI_Datatype t, MPI_Op o, int root, MPI_Comm c),
       (s, r, n, t, o, root, c), r, is_rank(root, c), n, t)
SPOILT(Reduce_scatter, (const void *s, void *r, const int *n, MPI_Datatype t, MPI_Op o, MPI_Comm c),
       (s, r, n, t, o, c), r, true, n[fault_rank()], t)
SPOILT(Reduce_scatter_block, (const void *s, void *r, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c),
       (s, r, n, t, o, c), r, true, n, t)
SPOILT(Scan, (const void *s, void *r, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c),
       (s, r, n, t, o, c), r, true, n, t)
SPOILT(Exscan, (const void *s, void *r, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c),
       (s, r, n, t, o, c), r, true, n, t)
