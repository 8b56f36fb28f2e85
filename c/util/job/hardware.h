/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hardware.h - what this node has, and what of it this process may use: CPUs, what
 *              encloses them by hwloc, memory, time.
 *
 * Without hwloc every answer about places is "unknown", and only the CPU counts remain.
 */
#ifndef HARDWARE_H
#define HARDWARE_H

#include <sched.h>
#include <stddef.h>

/* glibc's own cpu_set_t ends at 1024, beyond which the kernel refuses to answer at all. */
enum { AFFINITY_CPUS = 8192 }; /* the most that Linux can be built for */

/* A set for glibc's macros for sets of any size, such as CPU_ISSET_S: pass
   sizeof set and set.part. */
struct affinity {
    cpu_set_t part[AFFINITY_CPUS / CPU_SETSIZE];
};

/* Read the CPUs of this process; the set is empty if the kernel does not tell. */
void affinity_read(struct affinity *a);

int affinity_count(const struct affinity *a);

/* Write the set as text: "0-3,8" or, with every second CPU, "0-14:2".  "..." at
   the end means that there was no more room. */
void affinity_list(const struct affinity *a, char *text, size_t room);

/* --- What hwloc knows of them ------------------------------------------------ */

/* The smallest unit that encloses a rank's CPUs; NONE: more than a socket, or unknown. */
enum hardware_bound { BOUND_CORE, BOUND_NUMA, BOUND_SOCKET, BOUND_NONE };

struct hardware_place {
    int bound;               /* enum hardware_bound */
    int core, numa, package; /* numbers of the enclosing units; -1: several */
};

struct hardware {
    void *topology;
    char processor[96];
    int cores, packages, numas; /* 0: unknown; NUMA nodes: numa_nodes */
    int caches;                 /* last-level ones; 0: unknown */
    long l2_bytes, l3_bytes;    /* bytes of one cache; 0: unknown */
};

/* It takes seconds on large nodes: load it on one rank per node only. */
void hardware_load(struct hardware *h);
void hardware_release(struct hardware *h);

/* Bytes of a last-level cache; 0: unknown. */
size_t hardware_cache(const struct hardware *h);

/* The cores that have any of these CPUs, each as the number of its first CPU; without
   hwloc every CPU is one. */
void hardware_cores(const struct hardware *h, const struct affinity *cpus, struct affinity *cores);

struct hardware_place hardware_place(const struct hardware *h, const struct affinity *cpus);

/* NUMA nodes of an hwloc_topology_t: those among which CPUs are dealt out.  Nodes with
   the same CPUs count once (fast and large memory of one die), nodes without CPUs not at
   all (memory of a GPU or behind CXL): no rank can move from one of them to another.
   within: an hwloc_const_nodeset_t; NULL: of the whole machine. */
int numa_nodes(void *topology, const void *within);

/* --- What the node can give at most, and what is granted of it: by the process's own
   control group and every one above it (version 2), since each may limit ------- */

/* Bytes this node can still give away: what the kernel calls available, or what
   the control groups leave if that is less. */
size_t capacity_memory(void);

/* Bytes left in /dev/shm, where MPI has memory that ranks of a node share, and *size of
   it: 64 MiB in a container, unless it was told otherwise.  NAN: there is none. */
double capacity_shared(double *size);

/* CPUs' worth of time granted by the tightest cpu.max; 0: no limit. */
double capacity_cpus(void);

/* Seconds that quotas have held the processes of the group back: its own, and
   those of the groups above it.  Of two readings the difference counts, which a
   maximum over the groups would hide. */
double capacity_throttled(void);

#endif
