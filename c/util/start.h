/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * start.h - bringing the ranks to the starting line of a lap.
 *
 *   own      a dissemination barrier of our own: ceil(log2 P) rounds, in round
 *            k an empty message to rank + 2^k and from rank - 2^k.  The same
 *            under every library, so that a library's choice of barrier
 *            algorithm does not leak into the figure of another collective.
 *            (Hensgen, Finkel, Manber 1988.)
 *   library  MPI_Barrier, for conditions equal to OMB's.
 */
#ifndef START_H
#define START_H

#include <mpi.h>

#include "settings.h"

struct start {
    const char *name;
    void (*together)(const struct start *start);
    MPI_Comm comm; /* of its own: its messages meet no others */
    int rank, nranks;
};

/* Collective over comm, as is start_end. */
struct start start_begin(MPI_Comm comm, enum start_kind kind);
void start_end(struct start *start);

#endif
