/* SPDX-License-Identifier: BSD-3-Clause */
#include "pairs.h"

#include <mpi.h>

struct pair pairs_of(int rank, int pairs)
{
    if (rank < pairs)
        return (struct pair){ rank + pairs, true };
    if (rank < 2 * pairs)
        return (struct pair){ rank - pairs, false };
    return (struct pair){ MPI_PROC_NULL, false };
}
