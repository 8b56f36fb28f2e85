/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hardware.h - the place of a set of CPUs in this node, by hwloc. Without hwloc
 *              every answer is "unknown", and only the CPU counts remain.
 *
 * hwloc needs seconds on large nodes: load it on one rank per node only.
 */
#ifndef HARDWARE_H
#define HARDWARE_H

#include <stdbool.h>
#include <stddef.h>

#include "affinity.h"

/* The smallest unit that encloses a rank's CPUs; NONE: more than a socket, or unknown. */
enum hardware_bound { BOUND_CORE, BOUND_NUMA, BOUND_SOCKET, BOUND_NONE };

struct hardware_place {
    int bound;               /* enum hardware_bound */
    int core, numa, package; /* numbers of the enclosing units; -1: several */
};

struct hardware {
    void *topology;
    char processor[96];
    int cores, packages, numas; /* 0: unknown; NUMA nodes: numa_nodes.h */
    int caches;                 /* last-level ones; 0: unknown */
    long l2_bytes, l3_bytes;    /* bytes of one cache; 0: unknown */
};

void hardware_load(struct hardware *h);
void hardware_release(struct hardware *h);

/* Bytes of a last-level cache; 0: unknown. */
size_t hardware_cache(const struct hardware *h);

/* The cores that have any of these CPUs, each as the number of its first CPU; without
   hwloc every CPU is one. */
void hardware_cores(const struct hardware *h, const struct affinity *cpus,
                    struct affinity *cores);

struct hardware_place hardware_place(const struct hardware *h,
                                     const struct affinity *cpus);

#endif
