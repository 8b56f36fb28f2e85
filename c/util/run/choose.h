/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * choose.h - between choose.c, which finds the rows of a run, and choose_say.c,
 *            which says what had to be left out.
 */
#ifndef CHOOSE_H
#define CHOOSE_H

#include "sweep.h"

/* Sizes of the sweep, with what this node needs for each of them. */
struct demand {
    int n;
    size_t bytes[SWEEP_SIZES];
    double need[SWEEP_SIZES]; /* of all ranks of the node together */
    double fits[SWEEP_SIZES]; /* 1 or 0, on every node */
    double available;         /* of the node that has least */
    double gpu_need[SWEEP_SIZES], gpu_fits[SWEEP_SIZES];
    double gpu_available; /* the same of the memory of one GPU */
};

/* Sizes that the program cannot measure. */
struct left_out {
    int uncountable, scarce, empty; /* empty: -D leaves nothing to move */
};

/* What memory does not allow: of the sizes the first fitting ones fit.  The code
   to leave with, if that is none. */
enum exit_code choose_say_left_out(const struct sweep *s,
                                   const struct demand *w, int fitting);

/* What cannot be for other reasons; rank 0 only. */
void choose_say_impossible(const struct sweep *s, const struct left_out *out);

#endif
