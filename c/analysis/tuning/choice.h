/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * choice.h - which algorithm is taken for which sizes: only what is decided to be faster
 *            than the default, and then faster in new runs.
 *
 * An algorithm is taken for sizes that are chosen together if it is faster at one of them
 * and harms none: none is slower, and none has a ratio above the margin.  Open MPI's rules
 * have an algorithm for each range of sizes and number of ranks, so each size of a place is
 * chosen by itself.  A variable of MPICH holds for all sizes and numbers of ranks, so these
 * are chosen together.  Verdicts are those of scripts/compare, at 5% for all rows of a
 * comparison.
 */
#ifndef TUNING_CHOICE_H
#define TUNING_CHOICE_H

#include "tuning.h"

/* Choose for n places of one operation from their trials.  Open MPI: each by itself; MPICH:
   one algorithm for all. */
void choice_search(struct tune_place *place, size_t n,
                   enum tune_library library);

/*
 * Hold the choice of n places of one operation against new runs, anew[] of which has one
 * trial for each place: what is chosen there, against the default.
 *
 * What is chosen together is kept if new runs say the same of it, and no size is left in
 * doubt: the interval of an undecided one ends below the margin.  If a size that keeps the
 * default is slower, the rules themselves cost it, and the place keeps the default at all
 * sizes.
 */
void choice_confirm(struct tune_place *place, const struct tune_trial *anew,
                    size_t n, enum tune_library library);

/* Has the place a size that does not keep the default? */
bool choice_any(const struct tune_place *p);

#endif
