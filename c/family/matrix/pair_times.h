/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pair_times.h - times of a rank with each of its partners, and those of all
 *                ranks brought together: what stragglers.h judges.
 *
 * A lap has one meeting with each partner, of which only a part is timed: it begins
 * with pair_times_lap, and pair_times_leave_rest leaves out of it all but those parts.
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
 * Of the laps of a row every stride-th is kept: when there is room for no more, every
 * second of them is given up, and the stride doubles.
 */
struct pair_times {
    int ranks;
    clock_ticks *sample; /* PAIR_TIMES_KEPT for each partner */
    long laps, stride;
    int kept;
    bool keeps;       /* the lap under way */
    clock_ticks mark; /* when what is timed of a meeting began */
    clock_ticks sum;  /* of that, in this lap so far */
};

/* false: no memory. */
bool pair_times_begin(struct pair_times *t, int ranks);
void pair_times_end(struct pair_times *t);

/* Forget the samples of the row before. */
void pair_times_clear(struct pair_times *t);

/* A lap begins.  Never call it in a timed region. */
void pair_times_lap(struct pair_times *t);

/* What is timed of the meeting with a partner. */
static inline void pair_times_start(struct pair_times *t)
{
    t->mark = clock_now();
}

static inline void pair_times_stop(struct pair_times *t, int partner)
{
    const clock_ticks took = clock_now() - t->mark;

    t->sum += took;
    if (t->keeps)
        t->sample[(long)partner * PAIR_TIMES_KEPT + t->kept - 1] = took;
}

/* All meetings of the lap are over: the lap is what was timed of them. */
static inline void pair_times_leave_rest(const struct pair_times *t,
                                         struct laps *l)
{
    laps_leave_out(l, l->mark + t->sum, clock_now());
}

/* Times of all pairs, on rank 0, and where the ranks are. */
struct all_pairs {
    int ranks;
    double *time; /* time[i * ranks + j]: median that i saw with j, in s */
    unsigned char *path; /* enum path */
    int *node;           /* of each rank, numbered as they come up */
    char (*host)[64];
};

/*
 * Bring together the medians, times scale, and where the ranks are.  Collective over
 * comm; false: somewhere memory is short.  All of it is to be given back, on every
 * rank.
 */
bool all_pairs_gather(const struct pair_times *t, MPI_Comm comm, double scale,
                      const struct placement *placement, struct all_pairs *all);
void all_pairs_release(struct all_pairs *all);

#endif
