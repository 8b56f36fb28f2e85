/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * contents.h - the contents of a verified message: a value for every element,
 *              which differs by sender, receiver, slot and check, and which every
 *              rank can compute.  check: the number of a verified iteration.
 *
 * Two kinds of contents:
 *   moved    bytes that must arrive as they were sent (any operation that only
 *            moves data): a hash of (from, to, slot, check, position);
 *            no byte is that of the check before;
 *   summed   small whole numbers whose sum over all ranks, and every partial
 *            sum on the way, is exact in the element type.  A check begins at the
 *            element after that of the check before.
 */
#ifndef CONTENTS_H
#define CONTENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/element.h"

enum { CONTENTS_ANYONE = -1 }; /* "to" of data that all ranks receive */

/* Fill n bytes at to with the moved pattern, beginning at position offset. */
void contents_fill(void *to, size_t n, size_t offset, int from, int dest,
                   int slot, unsigned check);

/* The byte of the pattern at a position. */
unsigned char contents_byte(size_t position, int from, int dest, int slot,
                            unsigned check);

/*
 * The contribution of a rank to element i of a sum over nranks ranks.  It is at
 * least 1 at the positions where the rank contributes.  Where nranks is so
 * large that the type could overflow, each rank contributes to every M-th
 * element only.
 */
double contents_term(enum element type, int rank, int nranks, size_t i);

/* The sum of contents_term over the first ranks of nranks: all of them, or
   those of a prefix sum.  It takes no longer for many ranks. */
double contents_sum(enum element type, int ranks, int nranks, size_t i);

/* n elements from the first on: such sums over ranks or, of 0, the terms of rank. */
void contents_numbers(enum element type, void *to, size_t first, size_t n,
                      int ranks, int rank, int nranks);

/* A hash: every bit of x affects all of the result. */
uint64_t contents_mix(uint64_t x);

/* contents_term and contents_sum repeat after this many elements. */
size_t contents_period(enum element type, int nranks);

#endif
