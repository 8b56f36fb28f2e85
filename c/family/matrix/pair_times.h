/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pair_times.h - times of a rank with each of its partners, and those of all ranks brought
 *            together: what stragglers.h judges.
 *
 * A lap has one meeting with each partner, of which only a part is timed: it begins
 * with matrix_lap, and matrix_leave_rest leaves out of it all but those parts.
 */
#ifndef PAIR_TIMES_H
#define PAIR_TIMES_H

#include <mpi.h>
#include <stdbool.h>

#include "timing/clock.h"
#include "timing/laps.h"
#include "stragglers.h"
#include "machine/placement.h"

enum { MATRIX_KEPT = 64 }; /* samples of a pair */

/*
 * Of the laps of a row every stride-th is kept: when there is room for no more, every
 * second of them is given up, and the stride doubles.
 */
struct matrix {
    int ranks;
    clock_ticks *sample; /* MATRIX_KEPT for each partner */
    long laps, stride;
    int kept;
    bool keeps;       /* the lap under way */
    clock_ticks mark; /* when what is timed of a meeting began */
    clock_ticks sum;  /* of that, in this lap so far */
};

/* false: no memory. */
bool matrix_begin(struct matrix *m, int ranks);
void matrix_end(struct matrix *m);

/* Forget the samples of the row before. */
void matrix_clear(struct matrix *m);

/* A lap begins.  Never call it in a timed region. */
void matrix_lap(struct matrix *m);

/* What is timed of the meeting with a partner. */
static inline void matrix_start(struct matrix *m)
{
    m->mark = clock_now();
}

static inline void matrix_stop(struct matrix *m, int partner)
{
    const clock_ticks took = clock_now() - m->mark;

    m->sum += took;
    if (m->keeps)
        m->sample[(long)partner * MATRIX_KEPT + m->kept - 1] = took;
}

/* All meetings of the lap are over: the lap is what was timed of them. */
static inline void matrix_leave_rest(const struct matrix *m, struct laps *l)
{
    laps_leave_out(l, l->mark + m->sum, clock_now());
}

/* Times of all pairs, on rank 0, and where the ranks are. */
struct matrix_times {
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
bool matrix_gather(const struct matrix *m, MPI_Comm comm, double scale,
                   const struct placement *placement, struct matrix_times *all);
void matrix_release(struct matrix_times *all);

#endif
