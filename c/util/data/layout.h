/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * layout.h - counts, displacements and types of v- and w-collectives, and of
 *            vectors that are divided among the ranks.
 *
 * The layout is OMB's: every rank has the same count and type, and blocks are
 * packed without gaps.  The interface is measured, not an imbalance.
 */
#ifndef LAYOUT_H
#define LAYOUT_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

/* Each array has as many entries as there are blocks. */
struct layout {
    int blocks;
    int *counts, *displs; /* of v-collectives: in elements */
    int *byte_displs;     /* of MPI_Alltoallw: in bytes */
    MPI_Aint *places;     /* of MPI_Neighbor_alltoallw: in bytes, of any size */
    MPI_Datatype *types;
};

/* Allocate so many entries.  false: out of memory. */
bool layout_begin(struct layout *layout, int blocks);
void layout_end(struct layout *layout);

/* Describe blocks of count elements of type, each of so many bytes.  Counts and
   displacements that an int cannot hold become 0: a user must ask layout_fits
   first. */
void layout_fill(struct layout *layout, size_t count, MPI_Datatype type,
                 size_t bytes);

/* Describe a vector of count elements that is divided among the ranks: every
   rank gets an equal whole number and, if rest is set, the first ranks get one
   element more until none is left. */
void layout_split(struct layout *layout, int count, bool rest);

/* Does an int hold the displacement of the last block, each of so many units
   (elements or bytes)? */
bool layout_fits(int blocks, size_t units);

#endif
