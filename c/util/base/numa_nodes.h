/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * numa_nodes.h - how many NUMA nodes hwloc sees, in builds with it.
 */
#ifndef NUMA_NODES_H
#define NUMA_NODES_H

/* NUMA nodes of an hwloc_topology_t: those among which CPUs are dealt out.  Nodes with
   the same CPUs count once (fast and large memory of one die), nodes without CPUs not at
   all (memory of a GPU or behind CXL): no rank can move from one of them to another.
   within: an hwloc_const_nodeset_t; NULL: of the whole machine. */
int numa_nodes(void *topology, const void *within);

#endif
