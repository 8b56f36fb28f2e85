/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shuffle.h - random numbers for orders: xorshift64* (Vigna 2016), the same
 *             from a seed everywhere; and a hash.
 */
#ifndef SHUFFLE_H
#define SHUFFLE_H

#include <stdint.h>

/* The next number from 0 to below - 1; *state begins as a seed that is not 0. */
static inline unsigned long shuffle_next(uint64_t *state, unsigned long below)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (unsigned long)((*state * 0x2545f4914f6cdd1du >> 11) % below);
}

/* Every bit of x affects all of the result: the finaliser of SplitMix64 (Steele, Lea, Flood
   2014). */
static inline uint64_t shuffle_hash(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* Put n numbers into a random order (Fisher and Yates). */
static inline void shuffle(int *number, int n, uint64_t *state)
{
    for (int i = n - 1; i > 0; i--) {
        const int j = (int)shuffle_next(state, (unsigned long)i + 1);
        const int other = number[i];

        number[i] = number[j];
        number[j] = other;
    }
}

#endif
