/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sampling.h - running a loop in batches and keeping what it took: the hands
 *              of the engine whose head is measure.c.
 *
 * All functions are collective over the world of the measurement.
 */
#ifndef SAMPLING_H
#define SAMPLING_H

#include "measure.h"

/* That many laps, untimed: warm-up of a fixed length. */
void sampling_untimed(struct measure *m, long laps);

/* Laps in doubling batches until a time has passed: warm-up, counted in
   *laps.  Returns the time of a lap in the last batch, on every rank. */
double sampling_settle(struct measure *m, double seconds, long *laps);

/*
 * Measure n more samples after those that result has.  With a lead-in one
 * sample more runs in front and is dropped: the ranks enter the loop at
 * slightly different times, with caches that something else has used.
 */
void sampling_collect(struct measure *m, struct result *result, long n,
                      bool lead_in);

/* Fill in what the series over laps says; on rank 0. */
void sampling_describe(struct measure *m, struct result *result);

/* Do this rank's times count? */
bool sampling_counts(const struct measure *m);

/* What rank 0 decided, on every rank. */
void sampling_decide(const struct measure *m, double *value, int n);

#endif
