/* SPDX-License-Identifier: BSD-3-Clause */
/* noinit.c - an MPI that cannot be initialized, as on a login node. */
#include <mpi.h>
#include <stdlib.h>

int MPI_Init(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    abort();
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    (void)argc;
    (void)argv;
    (void)required;
    (void)provided;
    abort();
}
