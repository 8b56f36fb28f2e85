/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slope.h - what each entry of a queue costs: the slope of the line through times
 *           measured with queues of several lengths, and its interval.
 *
 * Each point has a 95% interval of its own, and counts by the inverse square of its
 * half-width (least squares).  The half-width of the slope is the larger of two:
 *   what follows from the intervals of the points, as if they were all;
 *   what follows from how far the points are from the line, by Student's t with
 *   n - 2 degrees of freedom, so that a curve that is no line has a wide interval.
 * Source: Press et al., Numerical Recipes, section 15.2; for the second half-width
 * Draper and Smith, Applied Regression Analysis, section 1.4.
 */
#ifndef SLOPE_H
#define SLOPE_H

#include <stdbool.h>
#include <stddef.h>

struct slope_point {
    double x, y;
    double error; /* half-width of the 95% interval of y; 0: not known */
};

struct slope {
    double value, half_width; /* units of y per unit of x */
};

/* The slope of n points, in any order; false: they have fewer than two different x.
   A point whose error is not known counts as little as the worst of the others: it had
   too few iterations for an interval. */
bool slope_of(const struct slope_point *point, int n, struct slope *slope);

/* The t of Student's distribution whose upper tail is so large, 0 < tail < 0.5, with at
   least one degree of freedom: bisection of the finite sums in Abramowitz and Stegun,
   Handbook of Mathematical Functions, 26.7.3 and 26.7.4. */
double slope_student(double tail, size_t freedom);

#endif
