/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_patterns.h - the tables of programs in which all ranks communicate at
 *                     the same time, and the values of each pattern.
 *
 * The time of a pattern is the mean over its ranks of their medians over
 * iterations.  A ring has that time.  A matching has a bandwidth, the sum over
 * its pairs as in mbw_mr: what all pairs move in both directions, divided by that
 * time.  The slowest rank of a pattern is the one with the longest median; in a
 * matching it and its partner are the slowest pair.
 */
#ifndef REPORT_PATTERNS_H
#define REPORT_PATTERNS_H

#include <mpi.h>
#include <stdbool.h>

#include "base/fields.h"
#include "report/report.h"
#include "sampling/over_ranks.h"
#include "schedule/part_times.h"

struct pattern_value {
    double time_s;          /* mean over ranks */
    struct extreme slowest; /* rank, and the one to which it sends */
    double value;           /* as printed: us or MB/s */
};

/* The values of the row under way; on rank 0. */
struct pattern_report {
    int n, pairs; /* patterns; pairs of a matching, or 0 */
    struct pattern_value *pattern;
    double *sorted;      /* the printed values, ascending */
    double quarter[5];   /* their quartiles; NAN: not known */
    double slowest_pair; /* its bandwidth, MB/s; the same */
    size_t bytes;        /* that move in a message */
    bool known;          /* false: every iteration was late */
};

struct peers;

/* Allocate memory.  false: out of memory. */
bool pattern_report_begin(struct pattern_report *p, int n, int pairs);
void pattern_report_end(struct pattern_report *p);

/* Collect the times of a row, in which this rank sends to peers[k].to in pattern k;
   a rank without partners is not active.  Collective over comm. */
void pattern_report_row(struct pattern_report *p, MPI_Comm comm,
                        struct part_times *times, const struct peers *peers,
                        bool active, const struct result *result);

/* Write the field "patterns" of the row. */
void pattern_report_record(const struct pattern_report *p, struct fields to);

extern const struct report report_ring, /* one message in, one out */
    report_neighbor_exchange,           /* two in, two out */
    report_random_rings,                /* mean, median and worst ring */
    report_bisection; /* sum of pairs, quartiles of matchings */

#endif
