/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * result.h - one measured row as plain values, and the figures made of it.
 *
 * All times are seconds per lap.  Two populations are kept apart:
 *   over ranks  the means of the ranks that measure (OMB's headline is their
 *               mean; -f shows their minimum and maximum);
 *   over laps   one value per lap: rank 0's time, or, where several ranks
 *               measure, the slowest rank's.  Median, interval, percentiles.
 */
#ifndef RESULT_H
#define RESULT_H

#include <stdbool.h>
#include <stddef.h>

#include "element.h"
#include "stats.h"
#include "table.h"

enum stop_reason {
    STOP_COUNT,     /* -i or -x: fixed counts */
    STOP_PRECISION, /* the interval is narrow enough */
    STOP_BUDGET,    /* the time was used up */
    STOP_SAMPLES,   /* room for samples was used up */
};

enum verdict { VERDICT_NOT_CHECKED, VERDICT_PASS, VERDICT_FAIL };

/* Parts of a lap of a non-blocking collective, means over laps and ranks. */
struct overlap_parts {
    double start, compute, test, wait;
    double pure, pure_min, pure_max; /* without computation; over ranks */
};

struct result {
    size_t bytes; /* message size of the row */
    size_t count; /* the same in elements */
    enum element type;
    enum verdict verdict;

    long laps, warmup, stride; /* stride: laps in one sample */
    enum stop_reason stop;
    bool precise; /* the target was met; true where none was set */
    double elapsed_s;

    double mean, mean_min, mean_max; /* over ranks, of their means over laps */
    int ranks;                       /* that measured */
    struct stats over_laps;
    const double *sorted; /* over laps, ascending; over_laps.n values */
    const double *series; /* the same in the order of measuring */

    bool is_rate;    /* a bandwidth; else a latency */
    double scale;    /* of a latency: 0.5 where a lap is a round trip */
    double payload;  /* of a bandwidth: bytes moved in a lap, all pairs */
    double messages; /* in a lap, all pairs */
    struct overlap_parts parts;
};

/* Time of a latency row in us; rate of a bandwidth row in MB/s,
   MB = 10^6 bytes. */
double result_figure(const struct result *r, double seconds);

/* Percentile p (0 to 100) over laps; of a bandwidth the low tail: P99 is the
   rate that 99 % of the laps reach. */
double result_percentile(const struct result *r, double p);

/* OMB's overlap in percent, unclipped:
   100 - 100 (overall - computation) / pure. */
double result_overlap(const struct result *r);

const char *result_stop_word(enum stop_reason stop);
/* Pass, Fail or -; of one-sided programs passed, failed, skipped, as OMB. */
const char *result_verdict_word(enum verdict verdict, bool one_sided);

/* Columns of --columns, in the order of --list. */
enum {
    EXTRA_MEDIAN,
    EXTRA_CI_LOW,
    EXTRA_CI_HIGH,
    EXTRA_HALF_WIDTH,
    EXTRA_TAU,
    EXTRA_EFFECTIVE,
    EXTRA_MIN,
    EXTRA_MAX,
    EXTRA_STDDEV,
    EXTRA_COMPLETION,
    EXTRA_LAPS,
    EXTRA_SAMPLES,
    EXTRA_STOP,
    EXTRA_COUNT
};

struct extra_column {
    const char *name, *meaning;
    const char *latency, *bandwidth; /* headings */
};

extern const struct extra_column extra_columns[EXTRA_COUNT];

struct cell result_extra(const struct result *r, int id);

#endif
