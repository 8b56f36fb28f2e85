/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * halo.h - a halo exchange on a grid of ranks: every rank owns a block of cells and
 *          gives the outer ones to the ranks around it (lattice.h), in five ways
 *          (exchange.h).
 *
 * Size     bytes of one layer of a face of the block, in doubles: 8 L for two axes,
 *          8 L^2 for three, where L is the number of cells along each edge.  Sizes of
 *          which no L is a solution have no row.  A message to a face has width times
 *          as many bytes.
 * Message  one for each side of the block: 4 faces and 4 corners, or 6 faces, 12 edges
 *          and 8 corners.  Two ranks may be neighbors on several sides, and a rank may
 *          be its own neighbor; the tag of a message is the number of its side.
 * Memory   the block with its halo, of the memory type of the run, and in host memory
 *          the messages of those ways that pack them.
 *
 * The state begins with that of the overlap family, whose computation it uses.
 */
#ifndef HALO_H
#define HALO_H

#include <mpi.h>

#include "base/simulation.h"
#include "data/flow.h"
#include "family.h"
#include "lattice.h"
#include "loop.h"
#include "memory/memory.h"
#include "options/settings.h"
#include "overlap/overlap.h"
#include "report/report.h"

/* The operations of the program, in the order of its descriptor. */
enum exchange {
    EXCHANGE_SUBARRAY,
    EXCHANGE_PACKED,
    EXCHANGE_NEIGHBOR,
    EXCHANGE_PERSISTENT,
    EXCHANGE_PARTITIONED,
    EXCHANGES
};

/* What this rank sends to, or receives from, one side. */
struct halo_message {
    int peer, tag;
    int step[LATTICE_AXES]; /* the side */
    struct box box;         /* from here on: of the row */
    MPI_Datatype type;      /* the box in the array */
    int cells;
    double *packed; /* room for them */
    int parts;      /* of a partitioned message: of its first long axis */
    int part_axis;
};

/* Those to which this rank sends, or from which it receives: each once, although a rank
   can be the neighbor on several sides. */
struct halo_peers {
    int n, rank[LATTICE_SIDES];
    /* Of the row, as MPI_Neighbor_alltoallw wants it: the boxes of all messages between
       the two ranks, in the array. */
    MPI_Datatype type[LATTICE_SIDES];
};

struct halo {
    struct overlap overlap; /* first */
    struct lattice grid;
    bool faces;
    int width;
    int nout, nin;
    struct halo_message out[LATTICE_SIDES], in[LATTICE_SIDES];
    struct halo_peers to, from;
    bool typed; /* the row's types exist */
    int counts[LATTICE_SIDES];
    MPI_Aint displacements[LATTICE_SIDES];

    struct block shape;          /* of the row */
    struct buffer array, packed; /* the array may be in a GPU's memory */

    MPI_Request request[2 * LATTICE_SIDES]; /* of receives, then of sends */
    MPI_Comm graph;
};

static inline struct halo *halo_of(const struct bench_run *r)
{
    return r->family;
}

/*
 * What must be in every cell of a block and its halo (data/flow.h).  Every cell of the
 * whole grid has a number of its own.  Before an exchange the own cells of a rank hold
 * their numbers, and its halo holds poison.  After it every cell of the halo must hold
 * the number that follows from its place in the whole grid.  The own cells, the parts of
 * the halo that are not exchanged and the memory after the array must be unchanged.
 *
 * In a mismatch, block is the number of the side in the 9 or 27 blocks around the
 * own one (lattice_number), and element is the cell's index in the array.
 */
extern const struct flow flow_halo;

extern const struct family halo_family;

/* The time of an exchange, the rate at which a rank sends, and its share of the rate without
   computation. */
extern const struct report report_halo;

#endif
