/* SPDX-License-Identifier: BSD-3-Clause */
#include "schedule.h"

#include <stdlib.h>

#include "base/shuffle.h"

/* --- Round robin ----------------------------------------------------------------- */

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

/* --- Patterns -------------------------------------------------------------------- */

int schedule_order(int *order, int n, uint64_t *state, int rank)
{
    int place = -1;

    for (int i = 0; i < n; i++)
        order[i] = i;
    if (state != NULL)
        shuffle(order, n, state);
    for (int i = 0; i < n; i++)
        if (order[i] == rank)
            place = i;
    return place;
}

int schedule_patterns(enum schedule kind, int asked, int ranks)
{
    if (kind == SCHEDULE_HALVES)
        return 1;
    return kind == SCHEDULE_SHIFT ? schedule_active(kind, ranks) - 1 : asked;
}

/* The partner of an active rank in a matching. */
static int partner_of(enum schedule kind, int rank, int pattern, int active,
                      const int *order, int place)
{
    if (kind == SCHEDULE_HALVES)
        return (rank + active / 2) % active;
    if (kind == SCHEDULE_SHIFT)
        return round_robin_partner(rank, pattern, active);
    return order[place ^ 1];
}

bool schedule_fill(enum schedule kind, unsigned long seed, int n, int rank,
                   int ranks, struct peers *peers)
{
    const int active = schedule_active(kind, ranks);
    int *order = malloc((size_t)ranks * sizeof *order);
    uint64_t state = seed;

    if (order == NULL)
        return false;
    for (int k = 0; k < n; k++) {
        const int place = schedule_order(order, active, &state, rank);

        if (rank >= active)
            peers[k].to = peers[k].from = MPI_PROC_NULL;
        else if (kind == SCHEDULE_RINGS)
            peers[k] =
                (struct peers){ .to = order[(place + 1) % active],
                                .from = order[(place + active - 1) % active] };
        else
            peers[k].to = peers[k].from =
                partner_of(kind, rank, k, active, order, place);
    }
    free(order);
    return true;
}
