/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * autocorrelation.h - how long a series remembers.
 *
 * Integrated autocorrelation time: 1 + 2 (rho_1 + rho_2 + ...), in pairs until a
 * pair is not positive (initial positive sequence, Geyer 1992), of series about
 * zero.
 *
 * That of a long series is taken from means of blocks of b neighbours: times b and
 * their variance over that of the series, since both describe the variance of the
 * mean of all (batch means; Law, Simulation Modeling and Analysis, section 9.5.3).
 * So it takes as long as it must, and sees what is common to far neighbours.
 */
#ifndef AUTOCORRELATION_H
#define AUTOCORRELATION_H

#include <stddef.h>

enum { GEYER_MOST_BLOCKS = 2048 };

/* The mean of the products of neighbours at that lag; n > lag. */
double geyer_covariance(const double *x, size_t n, size_t lag);

/* The time, in elements, of x[0..n-1], of lags up to n / 4; 1 if all are 0. */
double geyer_tau(const double *x, size_t n);

#endif
