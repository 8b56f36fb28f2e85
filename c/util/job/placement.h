/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * placement.h - where the ranks are: nodes, paths between them, binding.
 *
 * Nodes are told apart by the kernel's boot id, not by the host name, which containers share or
 * invent; ALIDADE_NODE_ID overrides it (and lets tests play several nodes on one).
 */
#ifndef PLACEMENT_H
#define PLACEMENT_H

#include <limits.h>
#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hardware.h"
#include "world.h"

/* What lies between two ranks. */
enum path { SAME_NUMA, SAME_SOCKET, SAME_NODE, INTER_NODE, PATHS };
extern const char *const path_names[PATHS];

/* Where a rank is. */
struct spot {
    uint64_t node;
    int package, numa; /* -1: several, or unknown */
};

enum path path_between(const struct spot *a, const struct spot *b);

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

/* A rank that would have its CPU alone, and shares it with other processes. */
struct binding_foreign {
    double share; /* what the rank gets of it, before it measures; 0: nowhere */
    int rank;
    char host[HOST_NAME_MAX + 1];
};

struct placement {
    /* --- The nodes, in the order of their lowest ranks */
    MPI_Comm node; /* the ranks of this node */
    int node_rank, node_size;
    int node_first, node_number; /* its lowest rank; its number */
    int ranks_before;            /* on the nodes before it */
    int nodes;                   /* of the job */
    int mpi_nodes;               /* number of groups that share memory according to MPI */
    int max_node_size;           /* ranks on the fullest node */

    /* --- All else */
    struct spot spot; /* this rank's */
    /* Path between ranks that talk: "same-numa", "same-socket", "same-node",
       "inter-node", "mixed", "self" */
    const char *path;
    const char *bound;               /* "core", "numa", "socket", "none", "mixed", "shared" */
    int usable_cpus;                 /* those of this node, for its ranks together */
    bool oversubscribed;             /* somewhere: more ranks than usable CPUs */
    bool lacks_cpus;                 /* or than CPUs that the system grants */
    struct binding_shared shared;    /* ranks that are bound to the same cores */
    int drifting;                    /* ranks that may move among the NUMA nodes of their node */
    struct binding_threads threads;  /* more than CPUs */
    struct binding_foreign foreign;  /* other processes on the CPUs of ranks */
    int within_nodes, between_nodes; /* pairs that talk */
    struct hardware_place place;     /* this rank's */
    size_t available;                /* bytes of memory this node can give */
    int caches;                      /* last-level ones of this node, at least 1 */
    size_t cache_bytes;              /* of one of them; 0: unknown */
    struct hardware hardware;        /* on the first rank of each node */
};

/* Refuse what needs memory that all ranks share, where they are not on one node; at is NULL
   as long as that is not known. */
struct refusal;
void placement_refuse_nodes(const struct placement *at, const char *what, struct refusal *r);

/* The ranks that talk to each other; their paths count. */
struct placement_talk {
    MPI_Comm among;   /* every rank to every other; MPI_COMM_NULL: in pairs */
    bool star;        /* only the first of them to the others */
    int peer;         /* this rank's partner; MPI_PROC_NULL: none */
    int threads;      /* of this rank, that compute or poll at once */
    double cpu_share; /* what this rank gets of its CPU, before it measures */
};

/* Find the nodes of comm.  Collective.  node and hardware are to be given back. */
void placement_split(struct placement *p, MPI_Comm comm);

/* Then all else.  Collective. */
void placement_find(struct placement *p, const struct world *world,
                    const struct placement_talk *talk);

/* Do neither ranks nor their threads share CPUs? */
bool placement_has_cpus(const struct placement *p);

#endif
