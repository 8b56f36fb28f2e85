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

#include "family.h"
#include "flow_neighbors.h"
#include "loop.h"
#include "options/settings.h"
#include "overlap/overlap.h"
#include "report_neighbors.h"
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

#endif
