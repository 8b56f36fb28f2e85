/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * affinity.h - the CPUs that this process may run on.
 *
 * glibc's own cpu_set_t ends at 1024, beyond which the kernel refuses to answer
 * at all.
 */
#ifndef AFFINITY_H
#define AFFINITY_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>

enum { AFFINITY_CPUS = 8192 }; /* the most that Linux can be built for */

/* A set for glibc's macros for sets of any size, such as CPU_ISSET_S: pass
   sizeof set and set.part. */
struct affinity {
    cpu_set_t part[AFFINITY_CPUS / CPU_SETSIZE];
};

/* Read the CPUs of this process; the set is empty if the kernel does not tell. */
void affinity_read(struct affinity *a);

/* Read the CPUs that this process could run on if it were not bound: all that the system
   grants it. */
void affinity_read_granted(struct affinity *a);

int affinity_count(const struct affinity *a);

/* Write the set as text: "0-3,8" or, with every second CPU, "0-14:2".  "..." at
   the end means that there was no more room. */
void affinity_list(const struct affinity *a, char *text, size_t room);

/* Add the CPUs of another set. */
void affinity_join(struct affinity *a, const struct affinity *other);

#endif
