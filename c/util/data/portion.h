/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * portion.h - how long the blocks of a buffer are, where they are not equal.
 *
 * A whole of `blocks` messages is dealt out by weight.  The block of a portion has
 * what lies in the whole between two places: its weights begin after `before` of
 * the sum `of`, and end at `until`.  Places are rounded down, each in the same
 * way, so blocks that follow each other leave nothing out: their sum is the
 * whole, to the last element.
 */
#ifndef PORTION_H
#define PORTION_H

#include <stddef.h>
#include <stdint.h>

struct portion {
    uint64_t before, until, of; /* weights; of 0: the block is empty */
    uint64_t blocks;            /* the whole, in messages */
};

/* Sums of weights may not be larger: a whole of 2^50 bytes is still exact. */
#define PORTION_WEIGHTS ((uint64_t)1 << 53)

/* Length of the block if a message has count elements, or bytes. */
size_t portion_of(const struct portion *s, size_t count);

/* The same in messages, not rounded. */
double portion_messages(const struct portion *s);

#endif
