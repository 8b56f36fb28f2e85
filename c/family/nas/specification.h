/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * specification.h - what the specification of the NAS Parallel Benchmarks fixes
 *                   for IS and FT: random numbers, classes, and the values that a
 *                   right run must find.
 *
 * NAS report RNR-94-007 and its successors (NAS-95-020): the problem is
 * specified, not the program.
 */
#ifndef NAS_SPECIFICATION_H
#define NAS_SPECIFICATION_H

#include <stdbool.h>
#include <stdint.h>

enum nas_class { NAS_S, NAS_W, NAS_A, NAS_B, NAS_C, NAS_CLASSES };

/*
 * Random numbers: state = 5^13 state mod 2^46.  A number is the state after
 * the step, in units of 2^-46, so that it lies between 0 and 1.
 */
enum { NAS_SEED = 314159265 };

static inline double nas_random(uint64_t *state)
{
    *state = *state * UINT64_C(1220703125) & ((UINT64_C(1) << 46) - 1);
    return (double)*state * 0x1p-46;
}

/* The state after n numbers, in time of the order of log n. */
uint64_t nas_random_skip(uint64_t state, uint64_t n);

/* --- IS: rank integer keys --------------------------------------------------- */

enum { NAS_IS_ITERATIONS = 10, NAS_IS_TESTS = 5 };

/* One key of the partial verification: the key at index has, in
   iteration i, rank + slope * (i - late) keys below it. */
struct nas_is_test {
    int32_t index, rank;
    int slope, late;
};

struct nas_is {
    int32_t keys, values; /* how many keys; they are 0 ... values - 1 */
    struct nas_is_test test[NAS_IS_TESTS];
};

extern const struct nas_is nas_is[NAS_CLASSES];

/* Keys ranked in a run of all iterations. */
double nas_is_operations(enum nas_class class);

/* --- FT: a partial differential equation by 3-D Fourier transforms ------------ */

enum { NAS_FT_ITERATIONS = 20, NAS_FT_TERMS = 1024 };

struct nas_ft {
    int n[3]; /* points in x, y and z */
    int iterations;
    /* Of each iteration: real and imaginary part */
    double checksum[NAS_FT_ITERATIONS][2];
};

extern const struct nas_ft nas_ft[NAS_CLASSES];

/* Floating point operations of a run, as NAS counts them. */
double nas_ft_operations(enum nas_class class);

/* Is it, to the specified accuracy, the checksum of iteration i, from 1? */
bool nas_ft_is_right(enum nas_class class, int i, const double sum[2]);

#endif
