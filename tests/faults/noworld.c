/* SPDX-License-Identifier: BSD-3-Clause */
/* noworld.c - ends the rank that starts the world model, or that uses
   MPI_COMM_WORLD in a call that programs or harness make. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "fault.h"

static void refuse(const char *call)
{
    fprintf(stderr, "the world model is used: %s\n", call);
    exit(99);
}

int MPI_Init(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    refuse("MPI_Init");
    return MPI_ERR_OTHER;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    (void)required;
    (void)provided;
    return MPI_Init(argc, argv);
}

/* MPI_NAME with these parameters and arguments, of which c is the communicator. */
#define GUARDED(name, parameters, arguments)                                                       \
    int MPI_##name parameters                                                                      \
    {                                                                                              \
        if (c == MPI_COMM_WORLD)                                                                   \
            refuse("MPI_" #name);                                                                  \
        return FAULT_BELOW(name) arguments;                                                        \
    }                                                                                              \
    int PMPI_##name parameters                                                                     \
    {                                                                                              \
        return MPI_##name arguments;                                                               \
    }

/* clang-format off */
GUARDED(Comm_rank, (MPI_Comm c, int *r), (c, r))
GUARDED(Comm_size, (MPI_Comm c, int *n), (c, n))
GUARDED(Comm_group, (MPI_Comm c, MPI_Group *g), (c, g))
GUARDED(Comm_set_errhandler, (MPI_Comm c, MPI_Errhandler e), (c, e))
GUARDED(Comm_dup, (MPI_Comm c, MPI_Comm *d), (c, d))
GUARDED(Comm_split, (MPI_Comm c, int color, int key, MPI_Comm *d), (c, color, key, d))
GUARDED(Comm_split_type, (MPI_Comm c, int kind, int key, MPI_Info i, MPI_Comm *d), (c, kind, key, i, d))
GUARDED(Dist_graph_create_adjacent, (MPI_Comm c, int n, const int *s, const int *sw, int m, const int *d, const int *dw, MPI_Info i, int o, MPI_Comm *g),
        (c, n, s, sw, m, d, dw, i, o, g))
GUARDED(Win_create, (void *b, MPI_Aint n, int u, MPI_Info i, MPI_Comm c, MPI_Win *w), (b, n, u, i, c, w))
GUARDED(Win_allocate, (MPI_Aint n, int u, MPI_Info i, MPI_Comm c, void *b, MPI_Win *w), (n, u, i, c, b, w))
GUARDED(Win_create_dynamic, (MPI_Info i, MPI_Comm c, MPI_Win *w), (i, c, w))
GUARDED(Send, (const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c), (b, n, t, to, tag, c))
GUARDED(Recv, (void *b, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Status *s), (b, n, t, from, tag, c, s))
GUARDED(Isend, (const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request *q), (b, n, t, to, tag, c, q))
GUARDED(Irecv, (void *b, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Request *q), (b, n, t, from, tag, c, q))
GUARDED(Sendrecv, (const void *b, int n, MPI_Datatype t, int to, int tag, void *d, int m, MPI_Datatype u, int from, int tag2, MPI_Comm c, MPI_Status *s),
        (b, n, t, to, tag, d, m, u, from, tag2, c, s))
GUARDED(Barrier, (MPI_Comm c), (c))
GUARDED(Bcast, (void *b, int n, MPI_Datatype t, int root, MPI_Comm c), (b, n, t, root, c))
GUARDED(Allreduce, (const void *b, void *d, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c), (b, d, n, t, o, c))
GUARDED(Reduce, (const void *b, void *d, int n, MPI_Datatype t, MPI_Op o, int root, MPI_Comm c), (b, d, n, t, o, root, c))
GUARDED(Iallreduce, (const void *b, void *d, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c, MPI_Request *q), (b, d, n, t, o, c, q))
GUARDED(Scan, (const void *b, void *d, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c), (b, d, n, t, o, c))
GUARDED(Gather, (const void *b, int n, MPI_Datatype t, void *d, int m, MPI_Datatype u, int root, MPI_Comm c), (b, n, t, d, m, u, root, c))
GUARDED(Allgather, (const void *b, int n, MPI_Datatype t, void *d, int m, MPI_Datatype u, MPI_Comm c), (b, n, t, d, m, u, c))
GUARDED(Alltoall, (const void *b, int n, MPI_Datatype t, void *d, int m, MPI_Datatype u, MPI_Comm c), (b, n, t, d, m, u, c))
/* clang-format on */
