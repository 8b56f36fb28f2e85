/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * finite.c - ends the rank with exit code 9 if a reduction in place, of floats, doubles or
 *            complex numbers, has a result that is infinite or no number.
 */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "fault.h"

static void look(const void *result, int count, MPI_Datatype type)
{
    const bool complex_type = type == MPI_C_FLOAT_COMPLEX;
    const float *f = result;
    const double *d = result;

    for (int i = 0; i < count * (1 + complex_type); i++) {
        if (type == MPI_DOUBLE                  ? isfinite(d[i])
            : type == MPI_FLOAT || complex_type ? isfinite(f[i])
                                                : true)
            continue;
        fprintf(stderr, "a result is not finite\n");
        _exit(9);
    }
}

int MPI_Reduce_local(const void *in, void *inout, int count, MPI_Datatype type, MPI_Op op)
{
    const int code = PMPI_Reduce_local(in, inout, count, type, op);

    look(inout, count, type);
    return code;
}

int MPI_Allreduce(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm)
{
    const int code = PMPI_Allreduce(send, recv, count, type, op, comm);

    if (send == MPI_IN_PLACE)
        look(recv, count, type);
    return code;
}
