/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sides.h - which ranks are victims, and which congest their network; plain
 *           arithmetic, without MPI.
 *
 * Ranks come in units, which are never divided: nodes, groups of consecutive ranks,
 * or single ranks.  The units are put into a random order (Fisher and Yates, with
 * base/shuffle.h), and the first of them congest.  All ranks compute the same, and
 * nothing is communicated.
 */
#ifndef SIDES_H
#define SIDES_H

#include <stdbool.h>

enum { SIDES_LEAST = 2 /* ranks of a side: one alone has no partner */ };

/*
 * Deal the ranks: congests[i] becomes true if rank i congests.  unit[i] is the lowest
 * rank in the unit of rank i.  share, from 0 to 1, is that of the units that congest,
 * rounded to the nearest number, but so that either side has SIDES_LEAST ranks.  The seed
 * is not 0.  order has room for 2 * ranks entries, and holds nothing of use afterwards.
 * Returns the number of ranks that congest; 0: there is no such division.
 */
int sides_deal(const int *unit, int ranks, double share, unsigned long seed,
               int *order, bool *congests);

#endif
