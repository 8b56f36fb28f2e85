/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * environment.h - what a result depends on, apart from the program: hosts,
 *                 CPUs, kernel, libraries, and the variables that steer them.
 */
#ifndef ENVIRONMENT_H
#define ENVIRONMENT_H

#include <limits.h>
#include <mpi.h>

#include "job/world.h"
#include "machine/placement.h"

/* The communication libraries that are loaded in this process: transports below MPI, and those of
   GPUs.  What the kernel maps counts (/proc/self/maps), not what a build asked for. */
enum { LIBRARIES_MAX = 32 };

struct library {
    char name[24];    /* "libucp" */
    char file[64];    /* "libucp.so.0.0.0" */
    char version[64]; /* what the library itself says: "1.13.1"; "": nothing */
};

/* The library of a mapped file; 0: it is none of those that are known.  *l has no version yet. */
int libraries_match(const char *path, struct library *l);

/* Those of this process, each once, into list[LIBRARIES_MAX]; returns their number. */
int libraries_find(struct library list[LIBRARIES_MAX]);

/* One rank as the kernel sees it. */
struct environment_rank {
    char host[HOST_NAME_MAX + 1];
    char cpus[256]; /* allowed, as affinity_list has them */
    int node;       /* its number, in the order of first ranks */
    int pid, cpu;   /* cpu: the one it runs on */
};

/* By what machines of one processor name differ; "": the kernel does not say. */
struct environment_cpu {
    char family[16], model[16], stepping[16], microcode[24];
    char flags[6000]; /* instructions and features, with blanks between */
};

/* Filled on rank 0. */
struct environment {
    char kernel[160], processor[96], governor[32], mpi_text[512];
    char mpi_abi[16]; /* "1.0", what MPI says of its ABI; "": it has none */
    char mpi_file
        [4096]; /* that MPI's functions were loaded from; "": not known */
    struct environment_frequency {
        char driver[32], min[16], max[16], now[16], boost[8];
    } frequency; /* what the kernel says about CPU 0; "": nothing */
    double
        quota; /* number of CPUs that the control group grants; 0: no limit */
    struct library library[LIBRARIES_MAX]; /* loaded on rank 0 */
    int nlibraries;
    struct environment_cpu cpu; /* the first one */
    int cpus_online;
    int nranks;
    struct environment_rank *rank; /* nranks entries */
};

/* Collective; O(P) bytes arrive at rank 0 and nowhere else. */
void environment_collect(struct environment *e, const struct world *world,
                         const struct placement *placement);
void environment_release(struct environment *e);

/* Is this variable one that steers MPI or its transports?  Others are never
   recorded: an environment holds secrets. */
int environment_allowed(const char *variable);

#endif
