/* SPDX-License-Identifier: BSD-3-Clause */
#include "sides.h"

#include <math.h>
#include <stdint.h>

#include "base/shuffle.h"

/* The units, in random order; how many there are. */
static int draw(const int *unit, int ranks, unsigned long seed, int *order)
{
    uint64_t state = seed;
    int units = 0;

    for (int i = 0; i < ranks; i++)
        if (unit[i] == i)
            order[units++] = i;
    shuffle(order, units, &state);
    return units;
}

int sides_deal(const int *unit, int ranks, double share, unsigned long seed,
               int *order, bool *congests)
{
    int *const size = order + ranks;
    int units, n = 0, taken = 0;

    for (int i = 0; i < ranks; i++) {
        congests[i] = false;
        size[i] = 0;
    }
    for (int i = 0; i < ranks; i++)
        size[unit[i]]++;
    units = draw(unit, ranks, seed, order);
    while (taken < units && (taken < lround(share * units) || n < SIDES_LEAST))
        n += size[order[taken++]];
    while (taken > 0 && ranks - n < SIDES_LEAST)
        n -= size[order[--taken]];
    for (int i = 0; i < taken; i++)
        congests[order[i]] = true;
    for (int i = 0; i < ranks; i++) /* the lowest of a unit comes first */
        congests[i] = congests[unit[i]];
    return n < SIDES_LEAST ? 0 : n;
}
