/* SPDX-License-Identifier: BSD-3-Clause */
#include "gather.h"

#include <float.h>

void gather_slowest(MPI_Comm comm, const double *mine, double *slowest, int n)
{
    MPI_Reduce(mine, slowest, n, MPI_DOUBLE, MPI_MAX, 0, comm);
}

struct spread gather_spread(MPI_Comm comm, double mine, int measures)
{
    double sum[2] = { measures ? mine : 0, measures != 0 };
    /* A maximum of the negative is the minimum: one reduction for both. */
    double edge[2] = { measures ? -mine : -DBL_MAX,
                       measures ? mine : -DBL_MAX };

    MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_DOUBLE, MPI_SUM, comm);
    MPI_Allreduce(MPI_IN_PLACE, edge, 2, MPI_DOUBLE, MPI_MAX, comm);
    return (struct spread){ .mean = sum[0] / sum[1],
                            .min = -edge[0],
                            .max = edge[1],
                            .ranks = (int)sum[1] };
}
