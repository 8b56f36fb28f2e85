/* SPDX-License-Identifier: BSD-3-Clause */
#include "round_robin.h"

int round_robin_rounds(int ranks)
{
    return ranks % 2 == 0 ? ranks - 1 : ranks;
}

/* The rank that would meet itself. */
static int middle_of(int round, int rounds)
{
    return (round % 2 == 0 ? round : round + rounds) / 2;
}

/* Two ranks meet if the sum of their numbers is the round, modulo the number of
   rounds.  A rank that would meet itself rests.  If the number of ranks is
   even, the last rank is not part of this rule, and meets the one that would
   rest. */
int round_robin_partner(int rank, int round, int ranks)
{
    const int rounds = round_robin_rounds(ranks);

    if (rank == rounds)
        return middle_of(round, rounds);
    const int other = (round - rank + rounds) % rounds;

    if (other != rank)
        return other;
    return rounds < ranks ? rounds : -1;
}

/* The two ranks of a pair are as far from the middle, one on either side. */
int round_robin_pair(int rank, int round, int ranks)
{
    const int rounds = round_robin_rounds(ranks);
    const int middle = middle_of(round, rounds);
    const int up = (rank - middle + rounds) % rounds;
    const int apart = rank == rounds ? 0 : up <= rounds / 2 ? up : rounds - up;

    return rounds < ranks ? apart : apart - 1;
}
