/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * layout.h - where the blocks of a buffer lie, and how long they are.
 *
 * Counts, displacements and types of v- and w-collectives, and of vectors that
 * are dealt out.  As in OMB every rank has the same count and type, unless its
 * family gave the blocks portions; they lie side by side.
 */
#ifndef LAYOUT_H
#define LAYOUT_H

#include <stdint.h>

#include "flow.h"
#include "loop.h"

/*
 * How long the blocks of a buffer are, where they are not equal.
 *
 * A whole of `blocks` messages is dealt out by weight.  The block of a portion has
 * what lies in the whole between two places: its weights begin after `before` of
 * the sum `of`, and end at `until`.  Places are rounded down, each in the same
 * way, so blocks that follow each other leave nothing out: their sum is the
 * whole, to the last element.
 */
struct portion {
    uint64_t before, until, of; /* weights; of 0: the block is empty */
    uint64_t blocks;            /* the whole, in messages */
};

/* Sums of weights may not be larger: a whole of 2^50 bytes is still exact. */
#define PORTION_WEIGHTS ((uint64_t)1 << 53)

/* Length of the block if a message has count elements, or bytes. */
size_t portion_of(const struct portion *s, size_t count);

/* The arrays of r->out and r->in, for as many blocks as this rank has: only of operations
   that MPI gives arrays, of v- and w-collectives and of a vector that is dealt out in parts
   of different lengths.  false: out of memory. */
bool layout_begin(struct bench_run *r, const struct flow *flow);
void layout_end(struct bench_run *r);

/* Bytes of them, and of portions. */
size_t layout_need(const struct bench_run *r, const struct flow *flow);

/* Blocks of r->count elements of r->type, of r->bytes bytes, or by their portions; or the
   parts of a vector of that length.  Counts and displacements that an int cannot hold are 0:
   who uses them asks layout_fits before. */
void layout_fill(struct bench_run *r, const struct flow *flow);

/* Part i of a vector of count elements that is dealt out: to everyone an equal whole number,
   and what is then left, if it is dealt out too (rest), one each to the first. */
struct part {
    size_t first, n;
};
struct part layout_part(size_t count, int parts, bool rest, int i);

/* What this rank receives of the row's vector, or the whole, where it is not dealt out. */
struct part layout_own_part(const struct bench_run *r, const struct flow *flow);

/* Counts and displacements of all parts, for which l has room. */
void layout_split(struct layout *l, int count, int parts, bool rest);

/* Does an int hold the displacement of the last block of any rank, where a message has
   so many units (elements or bytes)? */
bool layout_fits(const struct bench_run *r, size_t units);

/* Bytes of so many blocks and the guard after them, where a message has so many bytes;
   in slots, if it is a window. */
size_t layout_size(const struct layout *l, size_t bytes, size_t blocks,
                   bool window);

/* Of the row that layout_fill was called for, which no window has: where block i begins,
   and its length, in bytes. */
size_t layout_at(const struct bench_run *r, const struct layout *l, int i);
size_t layout_bytes(const struct bench_run *r, const struct layout *l, int i);

#endif
