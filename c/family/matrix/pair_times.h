/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pair_times.h - the times of a rank with each of its partners, and those of
 *                all ranks together: the input of stragglers.h.
 *
 * A lap has one meeting with each partner, and only a part of each meeting is
 * timed.  The lap begins with pair_times_lap; pair_times_leave_rest removes all
 * but the timed parts from it.
 */
#ifndef PAIR_TIMES_H
#define PAIR_TIMES_H

#include <mpi.h>
#include <stdbool.h>

#include "machine/placement.h"
#include "timing/clock.h"
#include "timing/laps.h"

enum { PAIR_TIMES_KEPT = 64 }; /* samples of a pair */

/*
 * Of the laps that count every stride-th one is kept.  When there is no more room, every
 * second of the kept laps is dropped, and the stride doubles.  All ranks keep the same
 * laps; those that are late on some rank go at the end (pair_times_agree).
 */
struct pair_times {
    int ranks;
    clock_ticks *sample;                  /* PAIR_TIMES_KEPT for each partner */
    clock_ticks in_time[PAIR_TIMES_KEPT]; /* of each kept lap; 0: it was late */
    long laps, stride;                    /* laps: that count */
    int kept;   /* the lap under way is written behind them */
    int before; /* so many of the kept laps are of batches before this one */
    clock_ticks mark; /* when the timed part of a meeting began */
    clock_ticks sum;  /* sum of the timed parts in this lap so far */
};

/* Allocate memory.  false: out of memory. */
bool pair_times_begin(struct pair_times *t, int ranks);
void pair_times_end(struct pair_times *t);

/* Bytes of that. */
size_t pair_times_need(int ranks);

/* A batch has ended: forget the samples before it, and its own (family.h). */
void pair_times_forget(struct pair_times *t, bool before, bool batch);

/* A lap begins.  Do not call this in a timed region. */
void pair_times_lap(struct pair_times *t);

/* The timed part of the meeting with a partner begins. */
static inline void pair_times_start(struct pair_times *t)
{
    t->mark = clock_now();
}

static inline void pair_times_stop(struct pair_times *t, int partner)
{
    const clock_ticks took = clock_now() - t->mark;

    t->sum += took;
    t->sample[(long)partner * PAIR_TIMES_KEPT + t->kept] = took;
}

/* All meetings of the lap are over: reduce the lap to their timed parts, and keep them if
   it counts. */
static inline void pair_times_leave_rest(struct pair_times *t, struct laps *l)
{
    laps_leave_out(l, l->mark + t->sum, clock_now());
    if (l->next < l->counted || t->laps++ % t->stride != 0)
        return;
    t->in_time[t->kept++] = l->late ? 0 : 1;
}

/* After the row: drop the laps that were late on any rank of comm.  Ranks that had no laps
   take part too.  Returns how many are left on the rank that has most.  Collective. */
int pair_times_agree(struct pair_times *t, MPI_Comm comm);

/* The median of the kept samples with that partner, in s; 0: there is none. */
double pair_times_median(const struct pair_times *t, int partner);

/* The longest mean of a tenth of the kept samples with that partner, in s; of fewer than
   ten samples, the longest. */
double pair_times_slowest_tenth(const struct pair_times *t, int partner);

/* The times of all pairs, and the places of the ranks; on rank 0. */
struct all_pairs {
    int ranks;
    /* Of all_pairs_at(i, j): the median that rank i measured with rank j, in s */
    double *time;
    unsigned char *path; /* enum path; PATHS: the two did not meet */
    int *rank;           /* in the job */
    int *node;           /* node of each rank; numbered in the order of ranks */
    char (*host)[64];
};

static inline size_t all_pairs_at(const struct all_pairs *all, int i, int j)
{
    return (size_t)i * (size_t)all->ranks + (size_t)j;
}

/* Bytes on rank 0 for the pairs of so many ranks. */
size_t all_pairs_need(int ranks);

/*
 * Collect the medians, multiplied by scale, and the places of the ranks of comm; in the
 * job this one is number rank.  Collective over comm.  false: some rank is out of memory.  The caller
 * releases the result on every rank in any case.
 */
bool all_pairs_gather(const struct pair_times *t, MPI_Comm comm, double scale,
                      const struct placement *placement, int rank,
                      struct all_pairs *all);
void all_pairs_release(struct all_pairs *all);

#endif
