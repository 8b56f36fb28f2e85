/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * buffer_size.h - how much memory a row needs, and whether a node has it.
 *
 * Plain arithmetic that saturates instead of overflowing, so that it can be
 * asked for a hundred thousand ranks.
 */
#ifndef BUFFER_SIZE_H
#define BUFFER_SIZE_H

#include <stdbool.h>
#include <stddef.h>

enum {
    BUFFER_GUARD = 64,   /* bytes after the last block, verified as well */
    MEMORY_PERCENT = 90, /* share of a node's memory for buffers */
};

/* Distance from slot to slot of a window: bytes, rounded up to cache lines. */
size_t slot_size(size_t bytes);

/* Bytes of blocks messages of the given size; windows hold them in slots. */
size_t buffer_size(size_t bytes, size_t blocks, bool window);

/* a + b and a * b, SIZE_MAX if that is too much. */
size_t size_sum(size_t a, size_t b);
size_t size_product(size_t a, size_t b);

/* "1.5MiB": a size for people, without a blank: a bare number before a blank
   would be read as a result.  A sum over ranks may be more than a size_t holds. */
const char *size_words(double bytes, char text[32]);

#endif
