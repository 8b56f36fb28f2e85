/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * crowding.h - which ranks of a node must share CPUs, because too few are theirs.
 *
 * Ranks that may each run on a CPU of their own can be matched with CPUs; where they
 * cannot, some set of ranks has fewer CPUs than ranks (Hall's theorem).
 */
#ifndef CROWDING_H
#define CROWDING_H

#include <stdbool.h>

#include "affinity.h"

/*
 * Find a set of ranks, of n, that must share: they have one CPU less than they are.
 * set[i] has the CPUs of rank i; an empty one is of a rank that nothing is known of.
 * member[i] becomes true of its ranks.  Returns their number; 0: all ranks can have a
 * CPU of their own, or there is no memory.
 */
int crowding_find(const struct affinity *set, int n, bool *member);

#endif
