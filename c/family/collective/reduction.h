/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reduction.h - the operation of reductions (--op), and numbers whose result is known exactly.
 *
 * sum and user combine small whole numbers, times 2^k + 1 so that a narrower type does not hold
 * them, whose sum over all ranks, and every partial sum on the way, is exact in the element type,
 * and is no other sum: not that of another set of ranks, of other elements, or of the element
 * before, with which the next check begins.
 *
 * Of the others few ranks contribute to an element, at most so many that the result is exact in
 * every type, and that it still depends on each of them; the others contribute what changes
 * nothing.  Which ranks these are moves on from element to element.
 *
 *   prod   3 of 2, 3 or 5 (at most 125); of complex numbers, of 2+i, 1+2i, 1-2i
 *   min, max  16 of 100 values: 128 to 227 if unsigned, else -50 to 49, so that
 *          a wrong idea of the sign shows
 *   band, bor  4 of words that change every fourth bit; bxor  16 of any words
 */
#ifndef REDUCTION_H
#define REDUCTION_H

#include <mpi.h>
#include <stddef.h>

#include "base/element.h"
#include "base/messages.h"
#include "loop.h"
#include "options/option.h"

enum reduction {
    REDUCTION_SUM,
    REDUCTION_PROD,
    REDUCTION_MIN,
    REDUCTION_MAX,
    REDUCTION_BAND,
    REDUCTION_BOR,
    REDUCTION_BXOR,
    REDUCTION_USER, /* a sum by a function of ours */
};

extern const struct choice reduction_words[];

/* Refuse n types that it cannot combine. */
void reduction_refuse(enum reduction op, const enum element *types, int n, struct refusal *r);

/* Its operation in MPI, once MPI runs; to be given back. */
MPI_Op reduction_begin(enum reduction op);
void reduction_end(enum reduction op, MPI_Op *made);

/* The flow's numbers (data/flow.h), by the operation of the run. */
void reduction_numbers(const struct bench_run *r, enum element type, void *to, size_t first,
                       size_t n, int ranks, int rank, int nranks);

/* The same of an operation. */
void reduction_contents(enum reduction op, enum element type, void *to, size_t first, size_t n,
                        int ranks, int rank, int nranks);

#endif
