/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * algorithm.c - algorithms of MPI_Allreduce are slow, except one.
 *
 *   FAULT_SMALL  the fast one up to 64 bytes: "linear" or "nonoverlapping" (Open
 *                MPI), or the value of MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM
 *   FAULT_LARGE  the fast one of larger messages
 *   FAULT_US     the others take so many us longer
 *
 * Of Open MPI the functions of the algorithms are replaced, which its tuned
 * component calls by name: what the rules in a file choose is seen as well. MPICH
 * says what it was asked for in the environment alone.
 */
#include <stddef.h>
#include <time.h>

#include "fault.h"

enum { SMALL = 64, DEFAULT_US = 800 };

static bool is(const char *variable, const char *name)
{
    const char *wanted = getenv(variable);

    return wanted != NULL && strcmp(wanted, name) == 0;
}

static void take(const char *name, size_t bytes)
{
    const long us = fault_number("FAULT_US", DEFAULT_US);

    if (!is(bytes <= SMALL ? "FAULT_SMALL" : "FAULT_LARGE", name))
        nanosleep(&(struct timespec){ us / 1000000, us % 1000000 * 1000 }, NULL);
}

#ifdef OPEN_MPI
typedef int algorithm(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm, void *);

/* The harness has its own communicators, whose calls are as fast as ever. */
static int replaced(const char *symbol, const char *name, const void *send, void *recv, int n,
                    MPI_Datatype type, MPI_Op op, MPI_Comm comm, void *module)
{
    algorithm *next;

    *(void **)&next = dlsym(RTLD_NEXT, symbol);
    if (comm == MPI_COMM_WORLD)
        take(name, fault_size(n, type));
    return next(send, recv, n, type, op, comm, module);
}

#    define REPLACE(function, name)                                                                \
        int function(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm, void *);           \
        int function(const void *send, void *recv, int n, MPI_Datatype type, MPI_Op op,            \
                     MPI_Comm comm, void *module)                                                  \
        {                                                                                          \
            return replaced(__func__, name, send, recv, n, type, op, comm, module);                \
        }

REPLACE(ompi_coll_base_allreduce_intra_basic_linear, "linear")
REPLACE(ompi_coll_base_allreduce_intra_nonoverlapping, "nonoverlapping")
REPLACE(ompi_coll_base_allreduce_intra_recursivedoubling, "doubling")
REPLACE(ompi_coll_base_allreduce_intra_ring, "ring")
REPLACE(ompi_coll_base_allreduce_intra_redscat_allgather, "rabenseifner")
#else
int MPI_Allreduce(const void *send, void *recv, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    const char *asked = getenv("MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM");

    if (asked == NULL)
        asked = "auto";
    if (comm == MPI_COMM_WORLD)
        take(asked, fault_size(n, type));
    return PMPI_Allreduce(send, recv, n, type, op, comm);
}
#endif
