/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * partitions.h - the parts of a partitioned message, and the order in which a
 *                sender says that they are ready.
 */
#ifndef PARTITIONS_H
#define PARTITIONS_H

#include <stdbool.h>

#include "settings.h"

struct partitions {
    int n;
    int *order; /* a permutation of 0 to n - 1 */
};

/* false: out of memory.  seed: of ORDER_RANDOM. */
bool partitions_begin(struct partitions *p, int n, enum order order,
                      unsigned long seed);
void partitions_end(struct partitions *p);

#endif
