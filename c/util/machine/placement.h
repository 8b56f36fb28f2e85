/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * placement.h - where the ranks are: nodes, paths between them, binding.
 *
 * Nodes are told apart by the kernel's boot id, not by the host name, which
 * containers share or invent; ALIDADE_NODE_ID overrides it (and lets tests
 * play several nodes on one).
 */
#ifndef PLACEMENT_H
#define PLACEMENT_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hardware.h"
#include "locality.h"

struct placement {
    struct spot spot; /* this rank's */
    MPI_Comm node;    /* the ranks of this node */
    int node_rank, node_size;
    int nodes;         /* their number in the job */
    int mpi_nodes;     /* number of groups that share memory according to MPI */
    int max_node_size; /* ranks on the fullest node */
    /* Path between ranks that talk: "same-numa", "same-socket", "same-node",
       "inter-node", "mixed", "self" */
    const char *path;
    const char *bound;        /* "core", "numa", "socket", "none", "mixed" */
    int usable_cpus;          /* those of this node, for its ranks together */
    bool oversubscribed;      /* somewhere: more ranks than usable CPUs */
    size_t available;         /* bytes of memory this node can give */
    int caches;               /* last-level ones of this node, at least 1 */
    struct hardware hardware; /* on the first rank of each node */
};

/* The ranks that talk to each other; their paths count. */
struct placement_talk {
    MPI_Comm among; /* every rank to every other; MPI_COMM_NULL: in pairs */
    bool star;      /* only the first of them to the others */
    int peer;       /* this rank's partner; MPI_PROC_NULL: none */
};

/* Collective. */
void placement_find(struct placement *p, MPI_Comm comm,
                    const struct placement_talk *talk);

/* The ranks of comm on this node; collective.  Returns what tells the node
   apart. */
uint64_t placement_split(MPI_Comm comm, MPI_Comm *node);

void placement_release(struct placement *p);

#endif
