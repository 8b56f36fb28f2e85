/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * away.c - FAULT=away: one-sided operations need the target's CPU.  MPI_Win_flush and
 *          MPI_Win_unlock return only if the target is in a blocking call of MPI, or has
 *          called MPI_Test since they began.
 *
 *   FAULT_FILE  a file that becomes memory which all ranks share
 */
#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fault.h"

enum { RANKS = 64 };

static struct rank {
    atomic_int inside;  /* blocking calls that it is in */
    atomic_long called; /* calls of MPI_Test */
} * rank;

__attribute__((constructor)) static void begin(void)
{
    const char *name = getenv("FAULT_FILE");
    const size_t bytes = RANKS * sizeof *rank;
    const int file = fault_is("away") ? open(name, O_RDWR | O_CREAT, 0600) : -1;

    if (file < 0)
        return;
    if (ftruncate(file, (off_t)bytes) == 0)
        rank = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (rank == MAP_FAILED)
        abort();
}

static int enter(void)
{
    if (rank == NULL)
        return 0;
    rank[fault_rank()].inside++;
    return 1;
}

static int leave(int entered, int result)
{
    if (entered)
        rank[fault_rank()].inside--;
    return result;
}

/* Until that rank has let MPI run. */
static int await(int target, int result)
{
    if (rank == NULL || target == fault_rank())
        return result;
    const long called = rank[target].called;

    while (rank[target].inside == 0 && rank[target].called == called)
        sched_yield();
    return result;
}

int MPI_Win_flush(int target, MPI_Win win)
{
    return await(target, PMPI_Win_flush(target, win));
}

int MPI_Win_unlock(int target, MPI_Win win)
{
    return await(target, PMPI_Win_unlock(target, win));
}

int MPI_Test(MPI_Request *request, int *done, MPI_Status *status)
{
    if (rank != NULL)
        rank[fault_rank()].called++;
    return PMPI_Test(request, done, status);
}

#define BLOCKING(name, parameters, arguments)                                                      \
    int MPI_##name parameters                                                                      \
    {                                                                                              \
        const int entered = enter();                                                               \
                                                                                                   \
        return leave(entered, FAULT_BELOW(name) arguments);                                        \
    }                                                                                              \
    int PMPI_##name parameters                                                                     \
    {                                                                                              \
        return MPI_##name arguments;                                                               \
    }

/* clang-format off */
BLOCKING(Allreduce, (const void *b, void *d, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c), (b, d, n, t, o, c))
BLOCKING(Barrier, (MPI_Comm c), (c))
BLOCKING(Bcast, (void *b, int n, MPI_Datatype t, int root, MPI_Comm c), (b, n, t, root, c))
BLOCKING(Recv, (void *b, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Status *s), (b, n, t, from, tag, c, s))
BLOCKING(Reduce, (const void *b, void *d, int n, MPI_Datatype t, MPI_Op o, int root, MPI_Comm c), (b, d, n, t, o, root, c))
BLOCKING(Sendrecv, (const void *b, int n, MPI_Datatype t, int to, int tag, void *d, int m, MPI_Datatype u, int from, int tag2, MPI_Comm c, MPI_Status *s),
         (b, n, t, to, tag, d, m, u, from, tag2, c, s))
BLOCKING(Win_free, (MPI_Win *w), (w))
/* clang-format on */
