/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unit_random.h - numbers that look random and are the same in every run.
 */
#ifndef UNIT_RANDOM_H
#define UNIT_RANDOM_H

#include <stdint.h>

/* Set this, but not to 0, before the first number. */
static uint64_t unit_random_state;

/* A number from 0 to below 1: xorshift64* (Vigna 2016). */
static inline double unit_uniform(void)
{
    unit_random_state ^= unit_random_state >> 12;
    unit_random_state ^= unit_random_state << 25;
    unit_random_state ^= unit_random_state >> 27;
    return (double)((unit_random_state * 0x2545F4914F6CDD1DULL) >> 11) /
           9007199254740992.0;
}

#endif
