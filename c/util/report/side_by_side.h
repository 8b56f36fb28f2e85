/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * side_by_side.h - behind the last block: what the blocks say together.
 */
#ifndef SIDE_BY_SIDE_H
#define SIDE_BY_SIDE_H

#include <stdio.h>

struct sweep;

/* Lines that begin with #, of the rows that were measured; on rank 0. */

/* What each operation took for each size, and how much more than the first. */
void side_by_side(FILE *to, const struct sweep *s);

/* The largest share of the processor that a computation had while the bandwidth
   was still 99 % of that without it; between two levels as if on a line. */
void side_by_side_left(FILE *to, const struct sweep *s);

#endif
