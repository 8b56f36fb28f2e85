/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * knee.h - from where on a curve is another: the largest step that it takes and
 *          does not take back.
 */
#ifndef KNEE_H
#define KNEE_H

#define KNEE_APART 1.1 /* times, at least; less may be noise */

/*
 * Of figure[0..n-1], all above 0, in any unit: the first of those that lie all
 * above, or all below, all that come before them, by KNEE_APART at the narrowest
 * place; where there are several such, by most.  *ratio: of the narrowest place,
 * later by earlier.  0: there is none.
 */
int knee_find(const double *figure, int n, double *ratio);

#endif
