/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measure.h - how long a row is measured: the sampling engine.
 *
 * Without -i and -x: warm-up in batches that double until they have taken a
 * few milliseconds; a stride that keeps the clock's cost below 1 % of a
 * sample; then looks, each doubling the samples, until the 95 % confidence
 * interval of the median is within the target on either side, or the budget is
 * used.  Rank 0 decides and tells the others, between batches only.  With -i
 * or -x: OMB's fixed counts, one sample a lap.
 */
#ifndef MEASURE_H
#define MEASURE_H

#include "bench.h"
#include "clock.h"
#include "result.h"
#include "world.h"

struct measure {
    const struct bench *bench;
    const struct settings *settings;
    const struct world *world;
    struct bench_run *run;
    struct clock_facts clock;
    long room;          /* samples there is room for */
    clock_ticks *ticks; /* room + 2, of one batch */
    double *mine;       /* seconds per lap, this rank, of the row */
    double *slowest;    /* the same over the ranks; rank 0 */
    double *sorted;     /* rank 0 */
};

/* Memory for the samples, touched; false: out of memory. */
bool measure_begin(struct measure *m);
void measure_end(struct measure *m);

/* May a sample be several laps?  Not of a stopwatch loop, and not where
   percentiles over laps are asked for. */
bool measure_strides(const struct measure *m);

/* One lap of the row, untimed: for verification and to open connections. */
void measure_once(struct measure *m);

/*
 * Measure the row that run is set up for.  Collective; *result is complete on
 * rank 0, its sample arrays valid until the next call.
 */
void measure_row(struct measure *m, struct result *result);

#endif
