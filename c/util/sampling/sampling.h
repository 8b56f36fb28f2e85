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

/* Warm-up: laps in doubling batches until a time has passed and the last two batches agree, but
   for no longer than limit.  Returns the time of a lap in the quickest batch, on every rank. */
double sampling_settle(struct measure *m, double seconds, double limit,
                       struct warmup *warmup);

/* Forget the samples of the row before. */
void sampling_clear(struct measure *m);

/* Measure n more samples.  With a lead-in one sample more runs in front of each batch
   and is dropped: ranks enter the loop at slightly different times, with caches that
   something else has used. */
void sampling_collect(struct measure *m, struct result *result, long n,
                      bool lead_in);

/* Fill in what the samples so far say of the population over laps; on rank 0. */
void sampling_describe(struct measure *m, struct result *result);

/* Do this rank's times count? */
bool sampling_counts(const struct measure *m);

/* What rank 0 decided, on every rank. */
void sampling_decide(const struct measure *m, double *value);

#endif
