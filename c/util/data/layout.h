/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * layout.h - counts, displacements and types of v- and w-collectives,
 *            and of vectors that are dealt out.
 *
 * OMB's layout: every rank the same count and type, blocks packed side by
 * side.  What is measured is the interface, not an imbalance.
 */
#ifndef LAYOUT_H
#define LAYOUT_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

/* blocks entries each */
struct layout {
    int blocks;
    int *counts, *displs; /* of v: in elements */
    int *byte_displs;     /* of MPI_Alltoallw: in bytes */
    MPI_Aint *places;     /* of MPI_Neighbor_alltoallw: in bytes, of any size */
    MPI_Datatype *types;
};

/* Room for blocks entries; false: out of memory. */
bool layout_begin(struct layout *layout, int blocks);
void layout_end(struct layout *layout);

/* Blocks of count elements of type, each of so many bytes.  Counts and
   displacements that an int cannot hold are 0: who uses them asks layout_fits
   before. */
void layout_fill(struct layout *layout, size_t count, MPI_Datatype type,
                 size_t bytes);

/* Counts and displacements of a vector of count elements that is dealt out:
   to everyone an equal whole number, and what is then left, if it is dealt out
   too, one each to the first. */
void layout_split(struct layout *layout, int count, bool rest);

/* Does an int hold the displacement of the last block, each of so many units
   (elements or bytes)? */
bool layout_fits(int blocks, size_t units);

#endif
