/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * neighbors.h - neighborhood collectives, on a communicator of their own
 *               (topology.h), which the run uses once the family has begun.
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

#include "data/flow.h"
#include "family.h"
#include "loop.h"
#include "options/settings.h"
#include "overlap/overlap.h"
#include "report/report.h"
#include "topology.h"

/* The overlap family finds its own at the beginning of either. */
struct neighbors {
    struct overlap overlap;
    struct topology topology;
};
struct neighbors_settings {
    struct overlap_settings overlap;
    const char *topology; /* -N */
};

static inline struct neighbors *neighbors_of(const struct bench_run *r)
{
    return r->family;
}

static inline const struct neighbors_settings *
neighbors_settings(const struct settings *s)
{
    return s->family;
}

extern const struct family neighbors_family, neighbor_persistent_family,
    ineighbor_family;

/* --- What moves, and the tables ------------------------------------------------ */

extern const struct flow
    flow_neighbors,       /* a block to and from every neighbor */
    flow_neighbors_v,     /* the same, packed */
    flow_neighbors_w,     /* the same, each with its type and place */
    flow_neighbors_all,   /* every rank's block to all its neighbors */
    flow_neighbors_all_v; /* the same, packed */

/* OMB's lines about the topology come before the tables. */
extern const struct report report_neighbors, /* like report_collective */
    report_neighbors_persistent,             /* like report_persistent */
    report_neighbors_overlap;                /* like report_overlap */

#endif
