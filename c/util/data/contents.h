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
 *   summed   small whole numbers, times 2^k + 1 so that a narrower type does not hold
 *            them, whose sum over all ranks, and every partial sum on the way, is exact in
 *            the element type, and is no other sum: not that of another set of ranks, of
 *            other elements, or of the check before.
 *            A check begins at the element after that of the check before.
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
 * least 1 at the elements where the rank contributes.  Where nranks is so
 * large that the type could overflow, each rank contributes to every M-th
 * element only.
 */
double contents_term(enum element type, int rank, int nranks, size_t i);

/* The sum of contents_term over the first ranks of nranks: all of them, or
   those of a prefix sum. */
double contents_sum(enum element type, int ranks, int nranks, size_t i);

/* n elements from the first on: such sums over ranks or, of 0, the terms of rank, times what
   element_spare says.  Not for several threads at a time. */
void contents_numbers(enum element type, void *to, size_t first, size_t n,
                      int ranks, int rank, int nranks);

/* A hash: every bit of x affects all of the result. */
uint64_t contents_mix(uint64_t x);

#endif
