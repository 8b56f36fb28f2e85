/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * algorithm.c - algorithms of MPI_Allreduce are slow, except one.
 *
 *   FAULT_SMALL  the fast one up to 64 bytes: "linear" or "nonoverlapping" (Open
 *                MPI), or the value of MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM
 *   FAULT_LARGE  the fast one of larger messages
 *   FAULT_CRASH  one that ends the process
 *   FAULT_HANG   one that never returns
 *   FAULT_WRONG  one that delivers wrong data
 *   FAULT_LATER  where the command line of a rank has this text, the fast one of
 *                larger messages takes 4 times as long as the others
 *   FAULT_US     the others take so many us longer
 *
 * Of Open MPI the functions of the algorithms are replaced, which its tuned
 * component calls by name: what the rules in a file choose is seen as well. MPICH
 * says what it was asked for in the environment alone.
 */
#include <stddef.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "fault.h"

enum { SMALL = 64, DEFAULT_US = 800 };

static bool is(const char *variable, const char *name)
{
    const char *wanted = getenv(variable);

    return wanted != NULL && strcmp(wanted, name) == 0;
}

static bool is_later(void)
{
    const char *text = getenv("FAULT_LATER");
    char line[8192];
    size_t n;
    FILE *from;

    if (text == NULL)
        return false;
    from = fopen("/proc/self/cmdline", "r");
    if (from == NULL)
        abort();
    n = fread(line, 1, sizeof line, from);
    fclose(from);
    return memmem(line, n, text, strlen(text)) != NULL;
}

static void take(const char *name, size_t bytes)
{
    const bool fast = is(bytes <= SMALL ? "FAULT_SMALL" : "FAULT_LARGE", name);
    long us = fault_number("FAULT_US", DEFAULT_US);

    if (is("FAULT_CRASH", name))
        abort();
    while (is("FAULT_HANG", name))
        pause();
    if (fast && bytes > SMALL && is_later())
        us *= 4;
    else if (fast)
        return;
    nanosleep(&(struct timespec){ us / 1000000, us % 1000000 * 1000 }, NULL);
}

/* After the operation. */
static void spoil(const char *name, void *received, size_t bytes)
{
    if (is("FAULT_WRONG", name) && bytes > 0)
        *(unsigned char *)received ^= 1;
}

#ifdef OPEN_MPI
typedef int algorithm(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm,
                      void *);

/* The harness has its own communicators, whose calls are as fast as ever. */
static int replaced(const char *symbol, const char *name, const void *send,
                    void *recv, int n, MPI_Datatype type, MPI_Op op,
                    MPI_Comm comm, void *module)
{
    algorithm *next;
    int code;

    *(void **)&next = dlsym(RTLD_NEXT, symbol);
    if (comm == MPI_COMM_WORLD)
        take(name, fault_size(n, type));
    code = next(send, recv, n, type, op, comm, module);
    if (comm == MPI_COMM_WORLD)
        spoil(name, recv, fault_size(n, type));
    return code;
}

#    define REPLACE(function, name)                                            \
        int function(const void *, void *, int, MPI_Datatype, MPI_Op,          \
                     MPI_Comm, void *);                                        \
        int function(const void *send, void *recv, int n, MPI_Datatype type,   \
                     MPI_Op op, MPI_Comm comm, void *module)                   \
        {                                                                      \
            return replaced(__func__, name, send, recv, n, type, op, comm,     \
                            module);                                           \
        }

REPLACE(ompi_coll_base_allreduce_intra_basic_linear, "linear")
REPLACE(ompi_coll_base_allreduce_intra_nonoverlapping, "nonoverlapping")
REPLACE(ompi_coll_base_allreduce_intra_recursivedoubling, "doubling")
REPLACE(ompi_coll_base_allreduce_intra_ring, "ring")
REPLACE(ompi_coll_base_allreduce_intra_redscat_allgather, "rabenseifner")
#else
int MPI_Allreduce(const void *send, void *recv, int n, MPI_Datatype type,
                  MPI_Op op, MPI_Comm comm)
{
    const char *asked = getenv("MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM");
    int code;

    if (asked == NULL)
        asked = "auto";
    if (comm == MPI_COMM_WORLD)
        take(asked, fault_size(n, type));
    code = PMPI_Allreduce(send, recv, n, type, op, comm);
    if (comm == MPI_COMM_WORLD)
        spoil(asked, recv, fault_size(n, type));
    return code;
}
#endif
