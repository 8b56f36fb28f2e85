/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * binding.h - does every rank, and every thread of a rank, have a core of its own?
 *
 * Ranks that wait poll, so two on a core take turns by the scheduler's clock.
 */
#ifndef BINDING_H
#define BINDING_H

#include <limits.h>
#include <mpi.h>
#include <stdbool.h>

#include "affinity.h"
#include "hardware.h"
#include "job/world.h"

/* Ranks that are bound so that they must share cores, though their node has as many cores,
   or at least CPUs, as ranks. */
struct binding_shared {
    int n; /* how many; 0: none */
    char ranks[64], cpus[64], host[HOST_NAME_MAX + 1];
};

/* A rank, or the ranks of a node together, with more threads that compute or poll than CPUs. */
struct binding_threads {
    int threads, cpus; /* 0: nowhere */
    int rank;          /* -1: the ranks of a node together */
    char host[HOST_NAME_MAX + 1];
};

/*
 * Find ranks, of n, that must share CPUs: those whose CPUs are all among the CPUs of one of
 * them, or of all together, if these are fewer.  (Sets that overlap in part and are crowded
 * all the same are not found; launchers do not make them.)  set[i] has the CPUs of rank i; an
 * empty one is of a rank that nothing is known of.  member[i] becomes true of its ranks.
 * Returns their number; 0: there are none.
 */
int binding_crowded(const struct affinity *set, int n, bool *member);

/* Of a node whose ranks have these sets of CPUs, and are called by these numbers; granted:
   what the system grants to its processes. */
struct binding_shared binding_of_node(const struct affinity *set,
                                      const int *rank, int n,
                                      const struct affinity *granted,
                                      const struct hardware *hardware);

/* All ranks learn of the first node that has some.  Collective. */
void binding_agree(struct binding_shared *s, const struct world *world);

/* threads: of this rank; usable: CPUs of its node, 0: unknown.  The first rank that has
   too few; else the first node.  Collective. */
struct binding_threads binding_of_threads(const struct world *world,
                                          MPI_Comm node, int threads,
                                          int usable);

#endif
