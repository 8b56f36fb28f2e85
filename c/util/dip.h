/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dip.h - Hartigan's test: does a sample come from one mode?
 *
 * The dip is the greatest distance between the empirical distribution function
 * and the nearest distribution function with one mode, which is convex below
 * the mode and concave above.  It does not depend on unit or origin.
 * Source: J. A. and P. M. Hartigan, The Dip Test of Unimodality, Annals of
 * Statistics 13(1), 70-84, 1985.
 */
#ifndef DIP_H
#define DIP_H

#include <stddef.h>

enum { DIP_MOST = 2000 }; /* values at a time: work arrays are on the stack */

/*
 * Dip of sorted[0..n-1], 1 <= n <= DIP_MOST, ascending and finite; from
 * 1 / (2n), which is the best any sample can do, to 1/4 (for n = 1: 1/2).  Many
 * equal values in one place are a mode, so values rounded by a clock have as
 * many modes as they have readings: spread them first, as modes_of does.
 */
double dip_of(const double *sorted, size_t n);

/*
 * Probability of a dip of at least this in n independent values of the uniform
 * distribution, which of all with one mode is the one that dips most: an upper
 * bound for the others.  n need not be whole.  Interpolated in a table of
 * simulated quantiles of sqrt(n) dip for 4 <= n <= 2000; beyond, by the row of
 * 2000, since sqrt(n) dip has a limit.  0.001 stands for all that is less, 1 for
 * all that is more than 0.5.
 */
double dip_p(double dip, double n);

#endif
