/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * judgement.h - how much longer loaded blocks took than blocks alone.
 *
 * Blocks of iterations come in pairs, one alone and one loaded, right after each
 * other.  Each pair gives one ratio.  The impact is the median of these ratios, and its
 * interval is that of stats_of: it ends at two of the ratios, and makes no assumption on
 * their distribution.  Slow noise changes both blocks of a pair and leaves the ratio.
 * The order within pairs alternates, so that a steady drift makes as many ratios too
 * large as too small.
 *
 * IMPACT_PAIRS is the least number of pairs whose interval, from the smallest to the
 * largest of 8 ratios, misses the truth in less than 1 % of rows if ratios are independent: 2 / 2^8.
 */
#ifndef IMPACT_JUDGEMENT_H
#define IMPACT_JUDGEMENT_H

#include <stdbool.h>

enum {
    IMPACT_PAIRS = 8,
    IMPACT_TAIL = 100, /* iterations of a block, before its P99 says anything */
};

/* What was read of a block. */
struct block {
    double median_s, p99_s; /* not positive: not known */
};

struct impact_pair {
    struct block alone, loaded;
};

struct impact_ratio {
    /* false: a block had too few iterations, or no time passed; all else is NAN. */
    bool known;
    double alone_s;   /* median of the blocks */
    double loaded_s;  /* the same */
    double times;     /* the impact */
    double low, high; /* its interval */
};

/* Of medians, or of 99th percentiles, of all IMPACT_PAIRS pairs. */
struct impact_ratio impact_judge(const struct impact_pair *pair, bool tail);

#endif
