/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * refine.h - where the curve of time over message size jumps.
 *
 * Protocols and algorithms change at some size that nobody prints.  Between
 * two measured sizes there is a jump where the later takes more or less time
 * than the gentler of the slopes on either side explains.  The largest jump is
 * bisected until it lies between neighbouring sizes, or is no longer one.
 */
#ifndef REFINE_H
#define REFINE_H

#include <stdbool.h>
#include <stddef.h>

struct refine_point {
    size_t bytes;
    double time;  /* of a message or operation, any unit */
    double error; /* half-width of its interval, same unit */
};

struct refine_jump {
    size_t from, to; /* the sizes between which it lies */
    double ratio;    /* time beyond it, by what the slope predicts */
};

/* Ascending by bytes. */
void refine_sort(struct refine_point *point, int n);

/*
 * The largest jump among point[0..n-1], ascending by bytes: more than 15 % and
 * more than the points' errors explain.  With a unit above 0 only jumps that
 * are wider than it, so that a size between them exists: a multiple of unit.
 * False: there is none.
 */
bool refine_find(const struct refine_point *point, int n, size_t unit,
                 struct refine_jump *jump);

/* The size to measure next: the middle of the jump, a multiple of unit. */
size_t refine_middle(const struct refine_jump *jump, size_t unit);

#endif
