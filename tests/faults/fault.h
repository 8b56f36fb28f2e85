/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fault.h - the common part of the libraries in this folder.
 *
 * LD_PRELOAD loads each into the ranks, between program and MPI.  The environment
 * says what it does, and where:
 *
 *   FAULT        the fault; each library has its own words
 *   FAULT_RANK   on this rank of the job; default 1; -1: on all
 *   FAULT_BYTES  in messages (blocks in collectives) of this size; the default
 *                is 1000, a size that the harness itself never sends; "odd": of odd
 *                sizes; ">N": of more bytes.  Both mean messages above 200 bytes alone,
 *                as those of the harness are not
 *   FAULT_SPARE  not in so many of them, the first ones; default 0
 *   FAULT_EVERY  in every such one of these; default 1
 *   FAULT_SHARE  in so many of a thousand of these, at random; FAULT_SEED is the seed
 */
#ifndef FAULT_H
#define FAULT_H

#include <dlfcn.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static inline bool fault_is(const char *kind)
{
    const char *wanted = getenv("FAULT");

    return wanted != NULL && strcmp(wanted, kind) == 0;
}

static inline long fault_number(const char *name, long fallback)
{
    const char *text = getenv(name);

    return text != NULL ? atol(text) : fallback;
}

static inline int fault_rank(void)
{
    const char *launched = getenv("OMPI_COMM_WORLD_RANK");
    int rank;

    if (launched == NULL)
        launched = getenv("PMI_RANK");
    if (launched != NULL) /* there is no MPI_COMM_WORLD in a session */
        return atoi(launched);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

static inline size_t fault_size(int count, MPI_Datatype type)
{
    int size;

    PMPI_Type_size(type, &size);
    return (size_t)count * (size_t)size;
}

static inline bool fault_has_size(size_t bytes)
{
    const char *size = getenv("FAULT_BYTES");

    if (size != NULL && (size[0] == 'o' || size[0] == '>'))
        return bytes > 200 && (size[0] == 'o' ? bytes % 2 == 1 : bytes > (size_t)atol(size + 1));
    return bytes == (size_t)fault_number("FAULT_BYTES", 1000);
}

/* Is it time for the fault again? */
static inline bool fault_is_due(long hits)
{
    static unsigned long state;

    if (getenv("FAULT_SHARE") == NULL)
        return hits % fault_number("FAULT_EVERY", 1) == 0;
    if (state == 0)
        state = (unsigned long)fault_number("FAULT_SEED", 1);
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (long)(state >> 33) % 1000 < fault_number("FAULT_SHARE", 0);
}

/* Is this a message that the fault is meant for, on the rank it is meant for? */
static inline bool fault_hits(size_t bytes)
{
    static long hits;
    const long rank = fault_number("FAULT_RANK", 1);

    return (rank < 0 || fault_rank() == rank) && fault_has_size(bytes) &&
           ++hits > fault_number("FAULT_SPARE", 0) && fault_is_due(hits);
}

/*
 * Programs make the calls that they measure or verify by MPI_NAME; what the harness sends for
 * itself goes by PMPI_NAME.  A library that means the latter has a PMPI_NAME of its own, and
 * calls the one below by this.
 */
#define FAULT_BELOW(name) ((__typeof__(PMPI_##name) *)dlsym(RTLD_NEXT, "PMPI_" #name))

/* Another preloaded library may have its MPI_Finalize too: pass the call on. */
static inline int fault_finalize(void)
{
    int (*next)(void);

    *(void **)&next = dlsym(RTLD_NEXT, "MPI_Finalize");
    return next();
}

#endif
