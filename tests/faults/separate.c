/* SPDX-License-Identifier: BSD-3-Clause */
/* separate.c - MPI reports that the memory of windows is not what the CPU sees
   (MPI_WIN_SEPARATE). */
#include "fault.h"

int PMPI_Win_get_attr(MPI_Win win, int key, void *value, int *known)
{
    static int separate = MPI_WIN_SEPARATE;
    const int result = FAULT_BELOW(Win_get_attr)(win, key, value, known);

    if (key == MPI_WIN_MODEL && *known)
        *(int **)value = &separate;
    return result;
}
