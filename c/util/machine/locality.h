/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * locality.h - what lies between two ranks.
 */
#ifndef LOCALITY_H
#define LOCALITY_H

#include <stddef.h>
#include <stdint.h>

enum path { SAME_NUMA, SAME_SOCKET, SAME_NODE, INTER_NODE, PATHS };

/* "same-numa", ... */
extern const char *const path_names[PATHS];

/* Where a rank is. */
struct spot {
    uint64_t node;
    int package, numa; /* -1: several, or unknown */
};

enum path path_between(const struct spot *a, const struct spot *b);

/* A bit, 1 << enum path, for each kind that occurs between the first and another
   of n ranks. */
unsigned locality_from_first(const struct spot *spot, size_t n);

/* The same, among any two of them, which are sorted. */
unsigned locality_among(struct spot *spot, size_t n);

#endif
