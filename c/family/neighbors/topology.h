/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * topology.h - the neighborhoods of neighborhood collectives.
 *
 *   cart:D:R    every rank within distance R, in each of D dimensions, of a
 *               periodic grid as balanced as MPI_Dims_create makes it:
 *               (2R + 1)^D - 1 neighbors.
 *   graph:FILE  lines "SRC,DST", a directed edge each; # begins a comment.
 *
 * The communicator is made by MPI_Dist_graph_create_adjacent, ranks are not
 * reordered, all weights are equal.
 */
#ifndef TOPOLOGY_H
#define TOPOLOGY_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

enum { TOPOLOGY_DIMENSIONS = 8 };

struct topology {
    MPI_Comm comm;
    int nsources, ndestinations;
    int *source, *destination; /* ranks of comm */
    int most; /* largest number of neighbors in one direction on any rank */
    int dimensions, dim[TOPOLOGY_DIMENSIONS], radius; /* 0: a graph */
    double create_s; /* time that MPI needed to make the communicator */
};

enum topology_outcome {
    TOPOLOGY_GOOD,
    TOPOLOGY_NONSENSE, /* spec or file make no sense */
    TOPOLOGY_TOO_FEW,  /* too few ranks for a grid of that radius */
};

/*
 * Read spec and make the communicator, collectively over comm.  The outcome is
 * the same on every rank; unless it is good, why (room bytes) says why, on
 * rank 0.
 */
enum topology_outcome topology_begin(struct topology *t, const char *spec,
                                     MPI_Comm comm, char *why, size_t room);
void topology_end(struct topology *t);

/* The number of neighbors of a rank, without making the communicator; -1 for a
   graph, where only the file tells. */
int topology_neighbours(const char *spec);

#endif
