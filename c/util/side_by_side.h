/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * side_by_side.h - behind the blocks of a program with several operations: what
 *                  they took for each size, and how much more than the first.
 */
#ifndef SIDE_BY_SIDE_H
#define SIDE_BY_SIDE_H

#include <stdio.h>

struct sweep;

/* Lines that begin with #, of the rows that were measured; on rank 0. */
void side_by_side(FILE *to, const struct sweep *s);

#endif
