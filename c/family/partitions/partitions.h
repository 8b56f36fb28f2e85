/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * partitions.h - the parts of a partitioned message (partitioned_latency), the
 *                order in which a sender marks them as ready, and the threads
 *                that mark them.
 *
 * Each thread has a contiguous part of that order, as OpenMP divides a loop.
 * The thread of the caller is number 0.  The others exist from
 * partitions_threads_begin to _end, for a batch of iterations.  They poll, as
 * those of OpenMP do, and let other processes run after a thousand polls.
 */
#ifndef PARTITIONS_H
#define PARTITIONS_H

#include <pthread.h>
#include <stdatomic.h>

#include "family.h"
#include "loop.h"
#include "options/settings.h"
#include "overlap/overlap.h"

enum { PARTITIONS_THREADS_MOST = 1024 };

struct partitions_settings {
    struct overlap_settings overlap;
    int n;
    enum order order;
    unsigned long seed; /* seed of a random order */
    int threads;
};

FAMILY_OF(settings, const struct partitions_settings, partitions_settings)

/* The overlap family finds its own at the beginning of either. */
struct partitions {
    struct overlap overlap;
    int n;
    int *order; /* a permutation of 0 to n - 1 */
    int threads;
    void (*mark)(struct bench_run *r, int thread); /* NULL: the threads end */
    pthread_t thread[PARTITIONS_THREADS_MOST];
    atomic_int numbered; /* threads that have their number */
    atomic_int met;      /* threads that wait for the others */
    atomic_uint meetings;
};

FAMILY_OF(bench_run, struct partitions, partitions_of)

/* The part of a thread begins at partitions_first(p, thread), and ends before
   that of the next thread. */
static inline int partitions_first(const struct partitions *p, int thread)
{
    return (int)((long)p->n * thread / p->threads);
}

/* Returns when all threads exist; ends the job with E42 if one cannot be
   created. */
void partitions_threads_begin(struct bench_run *r, void (*mark)(struct bench_run *r, int thread));
void partitions_threads_end(struct bench_run *r);

/* Every thread calls mark; returns when all have. */
void partitions_mark(struct bench_run *r);

extern const struct family partitions_family;

#endif
