/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * round_robin.h - every rank meets every other rank once.
 *
 * In each of P - 1 rounds (P if P is odd) all ranks are paired, except one if P
 * is odd, so that as many pairs as possible talk at a time.  (The circle
 * method: Kirkman 1847.)
 */
#ifndef ROUND_ROBIN_H
#define ROUND_ROBIN_H

/* The number of rounds for so many ranks, at least 2. */
int round_robin_rounds(int ranks);

/* The partner of the rank in round 0 .. round_robin_rounds(ranks) - 1; -1: the
   rank rests. */
int round_robin_partner(int rank, int round, int ranks);

/* The number of the rank's pair among the ranks / 2 pairs of that round; -1: the rank
   rests. */
int round_robin_pair(int rank, int round, int ranks);

#endif
