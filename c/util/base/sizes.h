/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sizes.h - message sizes: reading them, stepping through them, how often OMB
 *           repeats a message of a given size, and how much memory a row needs.
 */
#ifndef SIZES_H
#define SIZES_H

#include <stdbool.h>
#include <stddef.h>

enum { KiB = 1 << 10, MiB = 1 << 20 };

/* A sweep: min, then doubled up to and including max.  0 is followed by 1.  Or a list from min
   to max. */
struct sizes {
    size_t min, max;
    double factor; /* instead of 2; 0: 2 */
    size_t *list;  /* all of them, ascending, owned; NULL: none */
    size_t n;
    const char *file; /* the list is to be read from it; NULL: from none */
    bool named;       /* the smallest, a factor or the list: each of the sizes is meant */
};

/* Read a size: digits with an optional suffix K, M, G or T (2^10, 2^20, ...; any case),
   or a power, such as 2^20.  Returns NULL, or what is wrong with text. */
const char *sizes_parse_one(const char *text, size_t *bytes);

/* The size after bytes; false at the end of the sweep. */
bool sizes_next(const struct sizes *sizes, size_t *bytes);

enum { COUNT_STEPS = 16 };

/* A number of iterations for each size. */
struct sizes_count {
    struct count_step {
        size_t up_to; /* bytes; ascending, SIZE_MAX in the last step */
        long n;
    } step[COUNT_STEPS];
    int steps; /* 0: not given */
};

/* The number for a row: a function of its size alone, whatever came before it. */
long sizes_count(const struct sizes_count *count, size_t bytes);

/* OMB's fixed numbers for one kind of benchmark. */
struct sizes_counts {
    struct sizes_count iterations, warmup;
};

extern const struct sizes_counts counts_latency, counts_bandwidth, counts_message_rate,
    counts_collective, counts_ibarrier;

/* --- How much memory a row needs ----------------------------------------------------- */

/* Arithmetic that saturates instead of overflowing, so that it can be asked for a hundred
   thousand ranks. */
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
