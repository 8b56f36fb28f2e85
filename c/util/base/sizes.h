/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sizes.h - message sizes: reading them, stepping through them, and how often
 *           OMB repeats a message of a given size.
 */
#ifndef SIZES_H
#define SIZES_H

#include <stdbool.h>
#include <stddef.h>

enum { KiB = 1 << 10, MiB = 1 << 20 };

/* A sweep: min, then doubled up to and including max.  0 is followed by 1. */
struct sizes {
    size_t min, max;
    double factor; /* instead of 2; 0: 2 */
    size_t *list;  /* instead of min to max: ascending, owned; NULL: none */
    size_t n;
};

/* Read a size: digits with an optional suffix K, M, G or T (2^10, 2^20, ...; any case).
   Returns NULL, or what is wrong with text. */
const char *sizes_parse_one(const char *text, size_t *bytes);

/* Read MAX, MIN:MAX, MIN:, :MAX or MIN:MAX:FACTOR into *sizes, whose fields hold the
   defaults of what is left out.  A single value is the maximum, as in OMB; a default
   minimum above it is lowered to it.  Returns NULL, or what is wrong with text. */
const char *sizes_parse(const char *text, struct sizes *sizes);

/* Read SIZE,SIZE,... or @FILE, which has one size or more to a line, into *sizes.
   Returns NULL, or what is wrong with text. */
const char *sizes_parse_list(const char *text, struct sizes *sizes);

/* The size after bytes; false at the end of the sweep. */
bool sizes_next(const struct sizes *sizes, size_t *bytes);

/* OMB's fixed numbers of laps for one kind of benchmark. */
struct sizes_counts {
    long laps, warmup;             /* up to 8192 bytes */
    long laps_large, warmup_large; /* beyond */
};

extern const struct sizes_counts counts_latency, counts_bandwidth,
    counts_message_rate, counts_collective, counts_ibarrier;

/* Laps of a row: a function of its size alone, whatever came before it. */
long sizes_laps(const struct sizes_counts *counts, size_t bytes);
long sizes_warmup(const struct sizes_counts *counts, size_t bytes);

#endif
