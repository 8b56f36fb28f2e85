/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ft.h - what one rank does in NAS FT between the exchanges with others.
 *
 * A grid of complex numbers, transformed and back.  In space a rank has planes
 * of all x and y for some z, in the spectrum columns of all z for some y:
 *
 *     fill     space with random numbers
 *     leave    transform along x and y, and pack blocks: one for each rank
 *       ... MPI_Alltoall from other to spectrum ...
 *     enter    transform along z
 *
 *     evolve   the spectrum at a later time, transformed back along z
 *       ... MPI_Alltoall from space to other ...
 *     arrive   unpack, and transform back along x and y
 *     sum      this rank's part of the checksum
 *
 * x runs fastest, then y; blocks need packing on the side of space only.  The
 * transforms are FFTW's, chosen by measuring when the grid is made; a build
 * without FFTW has none, and grid_is_built says so.  No MPI here.
 */
#ifndef NAS_FT_H
#define NAS_FT_H

#include <stdbool.h>
#include <stddef.h>

#include "specification.h"

enum grid_plan {
    GRID_PLANE_THERE,
    GRID_PLANE_BACK,
    GRID_COLUMN_THERE,
    GRID_COLUMN_BACK,
    GRID_PLANS
};

struct grid {
    enum nas_class class;
    int rank, ranks;
    int nx, ny, nz;
    int own_y, own_z; /* columns of so many y, planes of so many z */
    int block;        /* complex numbers that go to each rank */
    double _Complex *space, *other, *spectrum;
    double *decay;          /* nx, ny and nz factors of the time under way */
    void *plan[GRID_PLANS]; /* plans of FFTW */
    double _Complex part;   /* this rank's part of the checksum */
    double _Complex sum[NAS_FT_ITERATIONS]; /* checksums over all ranks */
};

bool grid_is_built(void);

/* Can so many ranks run it?  They must divide planes and columns evenly. */
bool grid_divides(enum nas_class class, int ranks);

/* The size in bytes of each of the three arrays on a rank. */
size_t grid_bytes(enum nas_class class, int ranks);

/* The caller provides the three arrays, which are overwritten.  false: no
   memory for the rest.  Call grid_end in any case. */
bool grid_begin(struct grid *g, enum nas_class class, int rank, int ranks,
                void *space, void *other, void *spectrum);
void grid_end(struct grid *g);

void grid_fill(struct grid *g);
void grid_leave(struct grid *g);
void grid_enter(struct grid *g);
void grid_evolve(struct grid *g, int iteration);
void grid_arrive(struct grid *g);
void grid_sum(struct grid *g);

/* One plane, or the columns of one y, in place (ft.c). */
void grid_transform(const struct grid *g, enum grid_plan plan,
                    double _Complex *at);

#endif
