/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * neighbors.h - neighborhood collectives, on a communicator of their own
 *               which the run uses once the family has begun.
 *
 *   neighbors_family   blocking ones;
 *   neighbor_persistent_family   persistent ones;
 *   ineighbor_family   non-blocking ones, which also belong to the overlap
 *                      family (overlap.h).
 *
 * Option -N names the neighborhood.
 */
#ifndef NEIGHBORS_H
#define NEIGHBORS_H

#include <mpi.h>

#include "data/flow.h"
#include "family.h"
#include "loop.h"
#include "options/settings.h"
#include "overlap/overlap.h"
#include "report/report.h"

/*
 * The neighborhoods of neighborhood collectives.
 *
 *   cart:D:R    every rank within distance R, in each of D dimensions, of a
 *               periodic grid as balanced as MPI_Dims_create makes it:
 *               (2R + 1)^D - 1 neighbors.
 *   graph:FILE  lines "SRC,DST", a directed edge each; # begins a comment.
 *
 * The communicator is made by MPI_Dist_graph_create_adjacent, ranks are not
 * reordered, all weights are equal.
 */

enum { TOPOLOGY_DIMENSIONS = 8 };

struct topology {
    MPI_Comm comm;
    int nsources, ndestinations;
    int *source, *destination; /* ranks of comm */
    int most;                  /* largest number of neighbors in one direction on any rank */
    int dimensions, dim[TOPOLOGY_DIMENSIONS], radius; /* 0: a graph */
    double create_s; /* time that MPI needed to make the communicator */
};

/* The overlap family finds its own at the beginning of either. */
struct neighbors {
    struct overlap overlap;
    struct topology topology;
};
struct neighbors_settings {
    struct overlap_settings overlap;
    const char *topology; /* -N */
};

FAMILY_OF(bench_run, struct neighbors, neighbors_of)

FAMILY_OF(settings, const struct neighbors_settings, neighbors_settings)

extern const struct family neighbors_family, neighbor_persistent_family, ineighbor_family;

/* --- What moves, and the tables ------------------------------------------------ */

extern const struct flow flow_neighbors, /* a block to and from every neighbor */
    flow_neighbors_v,                    /* the same, packed */
    flow_neighbors_w,                    /* the same, each with its type and place */
    flow_neighbors_all,                  /* every rank's block to all its neighbors */
    flow_neighbors_all_v;                /* the same, packed */

/* OMB's lines about the topology come before the tables. */
extern const struct report report_neighbors, /* like report_collective */
    report_neighbors_persistent,             /* like report_persistent */
    report_neighbors_overlap;                /* like report_overlap */

#endif
