/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * drift.h - did the figure change while it was measured?
 *
 * Compares the first third of a series, in the order of measuring, with the
 * last third.  A series drifts if the difference is both beyond chance and
 * large enough to matter.  Values must be finite, in any unit.
 */
#ifndef DRIFT_H
#define DRIFT_H

#include <stdbool.h>
#include <stddef.h>

enum {
    DRIFT_LEAST = 60,       /* shortest series that is judged */
    DRIFT_INDEPENDENT = 10, /* least n / tau of a third */
};

#define DRIFT_SIGNIFICANCE 0.01 /* p below which it is not chance */
#define DRIFT_MATTERS      1.02 /* ratio of medians, or its inverse, beyond */

struct drift {
    bool known;   /* false: see below; then nothing drifts */
    double first; /* median of the first third */
    double last;  /* and of the last */
    double ratio; /* last / first */
    double tau;   /* autocorrelation time within the thirds, of ranks */
    double z, p;  /* mann_whitney(last, first), widened by tau */
    bool drifts;
};

/*
 * Not known if the series is shorter than DRIFT_LEAST, if a third is worth fewer
 * than DRIFT_INDEPENDENT independent samples, if a median is not above 0, or if
 * memory is short.
 *
 * The Mann-Whitney test takes values for independent, so its variance is
 * multiplied by tau (ranks_tau): the larger one of the two thirds, each by
 * itself.  Over the whole series, a drift would count as autocorrelation and
 * hide itself.
 *
 * Where the noise is slower than a third of the series is long, this cannot be
 * told from a drift; more than 1 % of such series are then said to drift.
 */
struct drift drift_of(const double *series, size_t n);

#endif
