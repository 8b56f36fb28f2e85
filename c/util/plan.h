/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plan.h - how much memory a row needs, and whether a node has it.
 *
 * Plain arithmetic that saturates instead of overflowing, so that it can be
 * asked for a hundred thousand ranks.
 */
#ifndef PLAN_H
#define PLAN_H

#include <stdbool.h>
#include <stddef.h>

enum {
    PLAN_GUARD = 64,   /* bytes behind the last block, verified as well */
    PLAN_PERCENT = 90, /* of a node's memory: MPI and the kernel need some */
};

/* Distance from slot to slot of a window: bytes, rounded up to cache lines. */
size_t plan_slot(size_t bytes);

/* Bytes of blocks messages of the given size; windows hold them in slots. */
size_t plan_buffer(size_t bytes, size_t blocks, bool window);

/* a + b and a * b, SIZE_MAX if that is too much. */
size_t plan_sum(size_t a, size_t b);
size_t plan_product(size_t a, size_t b);

/* "1.5MiB": a size for people, without a blank: a bare number before a blank
   would be read as a result.  A sum over ranks may be more than a size_t holds. */
const char *plan_human(double bytes, char text[32]);

#endif
