/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * patterns.h - all ranks communicate at the same time, each with few others:
 *              ring, exchange, random_ring, bisection.
 *
 * ring and exchange have one pattern and need no family: what they move and what
 * they print is here.  An iteration of random_ring and bisection is a round
 * through several patterns (schedule.h), of which each is synchronized and timed by
 * itself; its time is the sum of these times.  So the mean over iterations is the
 * mean over patterns, and each pattern has the same weight.  The times of each
 * pattern are kept as well.
 *
 *   rings_family      --rings, --seed
 *   matchings_family  --pattern, --seed
 *
 * While a row is verified, messages of different patterns have memory of their
 * own, and more than PATTERNS_APART patterns are verified in several turns.  While it is
 * measured, all use the same memory, so that many patterns need no more of the cache than
 * one.
 */
#ifndef PATTERNS_H
#define PATTERNS_H

#include <stdbool.h>

#include "data/flow.h"
#include "family.h"
#include "loop.h"
#include "record/fields.h"
#include "report/report.h"
#include "run/measure.h"
#include "schedule/schedule.h"

/*
 * The time of a pattern is the mean over its ranks of their medians over
 * iterations.  A ring has that time.  A matching has a bandwidth, the sum over
 * its pairs as in mbw_mr: what all pairs move in both directions, divided by that
 * time.  The slowest rank of a pattern is the one with the longest median; in a
 * matching it and its partner are the slowest pair.
 */

struct pattern_value {
    double time_s;          /* mean over ranks */
    struct extreme slowest; /* rank, and the one to which it sends */
    double value;           /* as printed: us or MB/s */
};

extern const struct report report_ring, /* one message in, one out */
    report_neighbor_exchange,           /* two in, two out */
    report_random_rings,                /* mean, median and worst ring */
    report_bisection;                   /* sum of pairs, quartiles of matchings */

enum { PATTERNS_APART = 16 };

struct patterns {
    struct part_times times; /* of each pattern */
    int n;                   /* patterns of an iteration */
    int pairs;               /* of a matching; 0: they are rings */
    struct peers *peers;     /* of this rank, in each */

    /* The values of the row under way; on rank 0. */
    struct pattern_value *value; /* of each pattern */
    double *sorted;              /* the printed values, ascending */
    double quarter[5];           /* their quartiles; NAN: not known */
    double slowest_pair;         /* its bandwidth, MB/s; the same */
    size_t bytes;                /* that move in a message */
    bool known;                  /* false: every iteration was late */
};

FAMILY_OF(bench_run, struct patterns, patterns_of)

/* The pattern that a round begins with: a turn of the verification has some of them. */
static inline int patterns_first(const struct bench_run *r)
{
    return r->turn > 0 ? (r->turn - 1) * PATTERNS_APART : 0;
}

/* A round begins: the number of patterns. */
static inline int patterns_begin(struct bench_run *r)
{
    const int left = patterns_of(r)->n - patterns_first(r);

    part_times_iteration(&patterns_of(r)->times);
    return r->turn > 0 && left > PATTERNS_APART ? PATTERNS_APART : left;
}

/* Begin with pattern number i of the round; returns its number.  The ranks have
   been synchronized for the first.  A round is late if one of its patterns is. */
static inline int patterns_next(struct bench_run *r, int i)
{
    struct patterns *p = patterns_of(r);

    if (i > 0)
        part_times_sync(r);
    part_times_start(&p->times);
    return patterns_first(r) + i;
}

/* The messages of pattern number i of the round have arrived. */
static inline void patterns_done(struct bench_run *r, int pattern)
{
    part_times_stop(&patterns_of(r)->times, pattern);
}

static inline void patterns_end(struct bench_run *r)
{
    part_times_leave_rest(&patterns_of(r)->times, &r->iterations);
}

/* What a message of pattern number i of the round is sent from, and received
   into. */
static inline void *patterns_send(const struct bench_run *r, int i)
{
    return bench_send_slot(r, r->turn > 0 ? i : 0);
}

static inline void *patterns_recv(const struct bench_run *r, int i)
{
    return bench_recv_slot(r, r->turn > 0 ? i : 0);
}

extern const struct flow flow_ring, /* a block to the next rank */
    flow_neighbor_exchange,         /* a block to the next rank and to the one
                                       before */
    flow_patterns;                  /* a block in each pattern */

extern const struct family rings_family, matchings_family;

/* The neighbors in the ring of all ranks. */
static inline int ring_next(const struct bench_run *r)
{
    return (r->rank + 1) % r->nranks;
}

static inline int ring_previous(const struct bench_run *r)
{
    return (r->rank + r->nranks - 1) % r->nranks;
}

#endif
