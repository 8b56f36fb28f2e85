/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * series.h - the series that figures.h has figures of.  figures.py makes the
 *            same ones: change both, or neither.
 *
 * Only operations that IEEE arithmetic rounds in one way, so that ties are the
 * same everywhere: no logarithm, no cosine.
 */
#ifndef REFERENCE_SERIES_H
#define REFERENCE_SERIES_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Xorshift64* (Vigna 2016). */
static inline double series_uniform(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return ((double)(*state * 0x2545f4914f6cdd1du >> 11) + 0.5) / 9007199254740992.0;
}

/* Twelve uniform numbers: mean 0, variance 1, nearly normal. */
static inline double series_bell(uint64_t *state)
{
    double sum = 0;

    for (int i = 0; i < 12; i++)
        sum += series_uniform(state);
    return sum - 6;
}

static inline void series_make(double *value, size_t n, const char *kind, uint64_t seed)
{
    double slow = 0, u;

    for (size_t i = 0; i < n; i++) {
        if (strcmp(kind, "skewed") == 0) {
            value[i] = 1 / (series_uniform(&seed) + 0.05);
        } else if (strcmp(kind, "ties") == 0) {
            u = series_uniform(&seed);
            value[i] = floor(8 * u * u) + 1;
        } else if (strcmp(kind, "bell") == 0) {
            value[i] = 20 + series_bell(&seed);
        } else if (strcmp(kind, "two") == 0) {
            u = series_uniform(&seed);
            value[i] = (u < 0.6 ? 31 : 44) + series_bell(&seed);
        } else if (strcmp(kind, "slow") == 0) {
            slow = 0.75 * slow + series_bell(&seed);
            value[i] = 20 + slow;
        } else {
            value[i] = 1e9 + series_uniform(&seed); /* "offset" */
        }
    }
}

#endif
