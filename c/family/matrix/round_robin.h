/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * round_robin.h - every rank meets every other once: in each of P - 1 rounds (P
 *                 where P is odd) all ranks are paired, or all but one, so that
 *                 as many pairs as can be talk at a time.  (The circle method:
 *                 Kirkman 1847.)
 */
#ifndef ROUND_ROBIN_H
#define ROUND_ROBIN_H

/* Rounds of so many ranks, at least 2. */
int round_robin_rounds(int ranks);

/* Whom the rank meets in round 0 .. round_robin_rounds(ranks) - 1; -1: it rests. */
int round_robin_partner(int rank, int round, int ranks);

#endif
