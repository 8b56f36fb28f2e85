/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * network.h - the network devices of a node that are nearest to a rank, as hwloc
 *             sees them.  Without hwloc none is known.
 */
#ifndef WHERE_NETWORK_H
#define WHERE_NETWORK_H

#include "machine/placement.h"

/* How near: a NUMA node in common, where there are several; a socket in common, where
   there are several; else no more than the machine.  DISTANCE_NONE: no device. */
enum distance {
    DISTANCE_NUMA,
    DISTANCE_SOCKET,
    DISTANCE_MACHINE,
    DISTANCE_NONE
};
extern const char *const distance_names[]; /* "NUMA node", "socket", ... */

struct network {
    char names[80];         /* all that are equally near: "mlx5_0,mlx5_1" */
    enum distance distance; /* to them */
    bool apart;             /* the machine has several NUMA nodes */
};

/* Can this build tell? */
bool network_is_known(void);

/* The nearest devices of each rank of the node, from its CPUs; on all its ranks.  One rank
   asks hwloc, since that takes long on large nodes.  Collective. */
void network_find(struct network *mine, MPI_Comm node);

/* The same for n sets of CPUs of this node. */
void network_nearest(const struct affinity *set, int n, struct network *near);

#endif
