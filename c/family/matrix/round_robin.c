/* SPDX-License-Identifier: BSD-3-Clause */
#include "round_robin.h"

int round_robin_rounds(int ranks)
{
    return ranks % 2 == 0 ? ranks - 1 : ranks;
}

/* Ranks whose numbers add up to the round, modulo the rounds, meet.  Who would meet
   itself meets the last of an even number, which has no such number; or rests. */
int round_robin_partner(int rank, int round, int ranks)
{
    const int rounds = round_robin_rounds(ranks);

    if (rank == rounds)
        return (round % 2 == 0 ? round : round + rounds) / 2;
    const int other = (round - rank + rounds) % rounds;

    if (other != rank)
        return other;
    return rounds < ranks ? rounds : -1;
}
