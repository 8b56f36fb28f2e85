/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * jump.h - where the curve of time over message size jumps.
 *
 * Protocols and algorithms change at some size that nobody prints.  Between
 * two measured sizes there is a jump where the later takes more or less time
 * than the gentler of the slopes on either side explains.  The largest jump is
 * bisected until it lies between neighbouring sizes, or is no longer one.
 */
#ifndef JUMP_H
#define JUMP_H

#include <stdbool.h>
#include <stddef.h>

struct jump_point {
    size_t bytes;
    double time;  /* one message or operation, any unit */
    double error; /* half-width of its interval, same unit */
};

struct jump {
    size_t from, to; /* the sizes between which it lies */
    double ratio;    /* time beyond it, by what the slope predicts */
};

/*
 * The largest jump among point[0..n-1], which are sorted: more than 15 % and
 * more than the points' errors explain.  With a unit above 0 only jumps that
 * are wider than it, so that a size between them exists: a multiple of unit.
 * False: there is none.
 */
bool jump_find(struct jump_point *point, int n, size_t unit, struct jump *jump);

/* The size to measure next: the middle of the jump, a multiple of unit. */
size_t jump_middle(const struct jump *jump, size_t unit);

#endif
