/* SPDX-License-Identifier: BSD-3-Clause */
#include "peers.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/shuffle.h"
#include "matrix/round_robin.h"

int peers_count(enum peers_kind kind, int asked, int ranks)
{
    if (kind == PEERS_HALVES)
        return 1;
    return kind == PEERS_SHIFT ? peers_active(kind, ranks) - 1 : asked;
}

static struct peers pair_of(int partner)
{
    return (struct peers){ partner, partner };
}

static struct peers half(int rank, int active)
{
    if (rank >= active)
        return pair_of(PEERS_NONE);
    return pair_of((rank + active / 2) % active);
}

static struct peers shifted(int rank, int round, int active)
{
    if (rank >= active)
        return pair_of(PEERS_NONE);
    return pair_of(round_robin_partner(rank, round, active));
}

/* Put the numbers 0 to n - 1 into a random order; the place of the rank in it,
   or -1. */
static int draw(int *order, int n, uint64_t *state, int rank)
{
    int place = -1;

    for (int i = 0; i < n; i++)
        order[i] = i;
    shuffle(order, n, state);
    for (int i = 0; i < n; i++)
        if (order[i] == rank)
            place = i;
    return place;
}

static struct peers drawn(enum peers_kind kind, const int *order, int place,
                          int n)
{
    if (place < 0)
        return pair_of(PEERS_NONE);
    if (kind == PEERS_RANDOM)
        return pair_of(order[place ^ 1]);
    return (struct peers){ .to = order[(place + 1) % n],
                           .from = order[(place + n - 1) % n] };
}

bool peers_fill(enum peers_kind kind, unsigned long seed, int n, int rank,
                int ranks, struct peers *peers)
{
    const int active = peers_active(kind, ranks);
    int *order = malloc((size_t)ranks * sizeof *order);
    uint64_t state = seed;

    if (order == NULL)
        return false;
    for (int k = 0; k < n; k++)
        if (kind == PEERS_HALVES)
            peers[k] = half(rank, active);
        else if (kind == PEERS_SHIFT)
            peers[k] = shifted(rank, k, active);
        else
            peers[k] =
                drawn(kind, order, draw(order, active, &state, rank), active);
    free(order);
    return true;
}
