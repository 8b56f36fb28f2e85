/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * partitions.h - the parts of a partitioned message, the order in which a sender
 *                says that they are ready, and the threads that say so: each has
 *                a run of that order, as OpenMP deals out a loop.
 */
#ifndef PARTITIONS_H
#define PARTITIONS_H

#include <stdbool.h>

#include "crew.h"
#include "settings.h"

struct partitions {
    int n;
    int *order; /* a permutation of 0 to n - 1 */
    int threads;
};

/* The run of a thread: from partitions_first(p, thread) to before that of the
   next one. */
static inline int partitions_first(const struct partitions *p, int thread)
{
    return (int)((long)p->n * thread / p->threads);
}

/* false: out of memory. */
bool partitions_begin(struct partitions *p, const struct settings *s);
void partitions_end(struct partitions *p);

#endif
