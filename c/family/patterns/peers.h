/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * peers.h - who sends to whom in a pattern, in which all ranks communicate at
 *           the same time.
 *
 * Rings: each rank sends to the next of a random order of all ranks and receives
 * from the one before.  Matchings: ranks exchange messages in pairs; of an odd
 * number of ranks the last has no partner.
 *
 *   halves   rank i and rank i + P/2
 *   shift    P - 1 matchings, in which each rank meets each other one once:
 *            their numbers add up to the number of the matching, modulo P - 1
 *            (matrix/round_robin.h; the "mirroring shift" of hp2p)
 *   random   a random order of the ranks; its neighbors 0 and 1, 2 and 3, ...
 *            are partners (Hoefler, Schneider, Lumsdaine 2008: effective
 *            bisection bandwidth)
 *
 * Orders are drawn one after the other from a seed (Fisher and Yates, with
 * base/shuffle.h), so that more of them begin with the same ones.  All ranks
 * compute the same orders, and nothing is communicated.
 */
#ifndef PEERS_H
#define PEERS_H

#include <stdbool.h>

enum peers_kind { PEERS_RINGS, PEERS_HALVES, PEERS_SHIFT, PEERS_RANDOM };

enum { PEERS_NONE = -1, PEERS_MOST = 1024 /* patterns */ };

struct peers {
    int to, from; /* ranks, or PEERS_NONE */
};

/* Ranks that have a partner in a matching of that kind, or are in a ring: all, or all
   but the last. */
static inline int peers_active(enum peers_kind kind, int ranks)
{
    return kind == PEERS_RINGS ? ranks : ranks - ranks % 2;
}

/* Patterns: as many as were asked for, or what the kind has for so many
   ranks. */
int peers_count(enum peers_kind kind, int asked, int ranks);

/*
 * Write the peers of this rank in the n patterns of that kind to peers[].  The seed
 * is not 0.  false: out of memory.
 */
bool peers_fill(enum peers_kind kind, unsigned long seed, int n, int rank,
                int ranks, struct peers *peers);

#endif
