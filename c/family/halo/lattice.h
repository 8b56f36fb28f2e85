/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lattice.h - a grid of ranks, the block of cells that each owns, and the parts of blocks that its
 *             neighbors need; plain arithmetic, without MPI.
 *
 * There are always three axes, of which the last is contiguous in memory.  In a grid of two the
 * first has one rank, one cell and no halo.  Ranks and cells are numbered with the last axis
 * fastest (row-major), as MPI_Cart_create does.
 *
 * A block lies in an array that also holds its halo: indices from 0 to halo - 1 are the halo on the
 * low side, then come the own cells, then the halo on the high side.  A step names a side: -1, 0 or
 * 1 on each axis.  A side with one step is a face, one with more is an edge or a corner.
 */
#ifndef LATTICE_H
#define LATTICE_H

#include <stdbool.h>
#include <stddef.h>

enum { LATTICE_AXES = 3, LATTICE_SIDES = 26 };

/* Cells along an edge, at most: no memory holds such a block.  Longer edges are taken for
   this one. */
enum { LATTICE_EDGE_MOST = 1 << 29 };

struct lattice {
    int axes;                     /* 2, or 3: the last so many */
    int extent[LATTICE_AXES];     /* ranks; 0: not known yet, on the last two or three */
    int coordinate[LATTICE_AXES]; /* of this rank */
    bool bounded;                 /* nothing is next to the first and the last rank of an
                              axis; else they are neighbors */
};

struct block {
    int cells[LATTICE_AXES]; /* own ones */
    int halo[LATTICE_AXES];  /* width on either side */
};

/* A part of the array of a block. */
struct box {
    int at[LATTICE_AXES], length[LATTICE_AXES];
};

/* "2", "3", "PxQ", "PxQxR": axes and extent of the struct lattice g.  NULL, or what is wrong. */
const char *lattice_parse(void *g, const char *text);

/* Ranks of the grid; 0: its extents are not known yet. */
long lattice_ranks(const struct lattice *g);

/* Let the grid know which rank this is. */
void lattice_locate(struct lattice *g, int rank);

/* The rank at that step from this one; -1: there is none. */
int lattice_neighbor(const struct lattice *g, const int step[LATTICE_AXES]);

/* The sides of a block, in an order that is the same everywhere: its faces, or all.
   Returns how many there are. */
int lattice_sides(int axes, bool faces, int step[LATTICE_SIDES][LATTICE_AXES]);

/* Ranks that have a neighbor on that side. */
long lattice_ranks_with(const struct lattice *g, const int step[LATTICE_AXES]);

/* Number of a side among the 9 or 27 blocks around a block; that one is number 4 or 13. */
int lattice_number(int axes, const int step[LATTICE_AXES]);

/* Cells along an edge of the largest block of which one layer of a face has at most so
   many bytes, in doubles; and the bytes of such a layer. */
long lattice_edge(int axes, size_t bytes);
size_t lattice_layer(int axes, long edge);

/* A block of so many cells along each edge, with a halo of that width. */
struct block lattice_block(int axes, long edge, int width);

/* Entries of the array along an axis, and in all: SIZE_MAX if that is too much. */
static inline int lattice_entries(const struct block *b, int axis)
{
    return b->cells[axis] + 2 * b->halo[axis];
}
size_t lattice_all_entries(const struct block *b);

/* Own cells that the neighbor on that side needs; and the halo on that side. */
struct box lattice_sent(const struct block *b, const int step[LATTICE_AXES]);
struct box lattice_halo(const struct block *b, const int step[LATTICE_AXES]);

static inline size_t lattice_cells(const struct box *box)
{
    return (size_t)box->length[0] * (size_t)box->length[1] * (size_t)box->length[2];
}

#endif
