/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * where.h - a family of one program that measures nothing: it prints where each rank is
 *           and what of its node may hinder MPI.
 *
 * Rows are printed of the first WHERE_ROWS ranks; the JSON document has all.
 */
#ifndef FAMILY_WHERE_H
#define FAMILY_WHERE_H

#include "data/gpu.h"
#include "environment/environment.h"
#include "family.h"
#include "job/placement.h"
#include "record/fields.h"
#include "report/report.h"

/* --- What of a node may hinder MPI, found by trying rather than by asking --- */

/*
 * The network devices of a node that are nearest to a rank, as hwloc
 * sees them.  Without hwloc none is known.
 */

/* How near: a NUMA node in common, where there are several; a socket in common, where
   there are several; else no more than the machine.  DISTANCE_NONE: no device. */
enum distance { DISTANCE_NUMA, DISTANCE_SOCKET, DISTANCE_MACHINE, DISTANCE_NONE };

struct network {
    char names[80];         /* all that are equally near: "mlx5_0,mlx5_1" */
    enum distance distance; /* to them */
    bool apart;             /* the machine has several NUMA nodes */
};

/* What a rank finds. */
struct preflight {
    double shm_free, shm_size; /* bytes left in /dev/shm while MPI runs, and all
                                  of them; NAN: unknown */
    double memlock;            /* bytes that the limit lets it lock; INFINITY: any */
    bool can_lock;             /* it locked PREFLIGHT_LOCK bytes */
    int vm_error;              /* errno of reading the memory of the next rank of the node; 0: it
                         read what is there; PREFLIGHT_ALONE: there is none */
    double quota;              /* CPUs that the control groups grant; 0: all */
    int cpus, usable;          /* this rank's; those of all ranks of the node; 0: unknown */
    int ranks;                 /* of the node */
    int threads;               /* that each rank is to run */
    int polling; /* threads of the library that run all the time: interference_share */
    struct network network;
};

enum {
    PREFLIGHT_ALONE = -1,
    PREFLIGHT_LOCK = 64 << 20,   /* bytes; what RDMA networks register at the least */
    PREFLIGHT_SHARED = 16 << 20, /* bytes of /dev/shm for each rank, and for so many at least: */
    PREFLIGHT_RANKS = 8          /* containers have 64 MiB unless they are told */
};

enum finding_key {
    FINDING_SHM,
    FINDING_MEMLOCK,
    FINDING_VM_READ,
    FINDING_QUOTA,
    FINDING_THREADS,
    FINDING_NETWORK,
    FINDING_HWLOC,
    FINDINGS
};

/* What holds for all ranks: the first of those for whom it is bad says why. */
struct finding {
    const char *word; /* "ok", "small", ... */
    bool bad;
    int nodes;     /* number of nodes where it is bad */
    char why[280]; /* with the figures; never empty if bad */
};

/* Of n ranks, on the hosts that of[] names.  Bit k of bad_on[NODE] is set where finding k is
   bad; bad_on has n entries, all 0. */
void preflight_judge(const struct preflight *p, int n, const struct environment_rank *of,
                     unsigned char bad_on[], struct finding finding[FINDINGS]);

/* --- The family ------------------------------------------------------------------ */

enum { WHERE_ROWS = 64 };

/* What a rank tells. */
struct where_rank {
    struct hardware_place place;
    bool has_gpu;
    struct gpu_facts gpu; /* that it would use with -d cuda */
};

/* On rank 0. */
struct where {
    struct environment_rank *of;
    struct where_rank *rank; /* of every rank */
    struct preflight *preflight;
    unsigned char *bad_on; /* of every node: preflight_judge */
    struct finding finding[FINDINGS];
};

FAMILY_OF(bench_run, struct where, where_of)

extern const struct family where_family;

extern const struct report report_where;

#endif
