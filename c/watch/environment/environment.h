/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * environment.h - what a result depends on, apart from the program: hosts,
 *                 CPUs, kernel, libraries, and the variables that steer them.
 */
#ifndef ENVIRONMENT_H
#define ENVIRONMENT_H

#include <limits.h>

#include "family.h"
#include "job/placement.h"
#include "job/world.h"
#include "record/fields.h"

/* One rank as the kernel sees it. */
struct environment_rank {
    char host[HOST_NAME_MAX + 1];
    char cpus[256]; /* allowed, as affinity_list has them */
    int node;       /* its number, in the order of first ranks */
    int pid, cpu;   /* cpu: the one it runs on */
};

/* All ranks, as world_gather has them.  Collective. */
struct environment_rank *environment_ranks(const struct world *world,
                                           const struct placement *placement);

/* "1.0", what MPI says of its ABI; "": it has none. */
void environment_abi(char abi[16]);

/* That part of it in which hosts of a job should not differ, of this process's host: its first
   rank alone knows all. */
void environment_host(const struct context *c, struct fields to);

/* All of it into the object, which rank 0 has.  Collective. */
void environment_record(const struct context *c, struct fields to);

/* "synchronization": the global clock as it is now; null: there is none. */
void environment_synchronisation(const struct context *c, struct fields to);

#endif
