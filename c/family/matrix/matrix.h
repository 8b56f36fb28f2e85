/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * matrix.h - a family: each rank measures with each other rank, and slow ranks
 *            are found.
 *
 *   matrix_family     times: pair_matrix
 *   bandwidth_family  bandwidths: pair_bw, with --every, --ways, --alone, --rounds, -W
 *
 * A lap has one meeting with each partner (schedule.h, meetings.h).  The loop
 * marks where the timed part of a meeting begins and ends (part_times.h).  After a
 * row rank 0 collects the times of all pairs and judges them (stragglers.h).
 * The result is printed after the table and written to the row in JSON
 * (matrix_report.h).
 *
 * The bandwidth of a pair is the payload of a window in one direction by its time, which
 * the rank that sends first measures.  With --ways=both both ranks send a window at the
 * same time, and both measure; the value is still of one direction, so that a link that
 * carries both at full rate shows the same value as with --ways=one.
 *
 * In an iteration each rank adds up the times of its pairs.  The mean of that is the mean
 * time of a pair, times the mean number of partners: with --rounds and an odd number of
 * ranks some ranks have one partner fewer.
 */
#ifndef MATRIX_H
#define MATRIX_H

#include "data/flow.h"
#include "family.h"
#include "loop.h"
#include "matrix_report.h"
#include "meetings.h"
#include "memory/memory.h"
#include "report/report.h"
#include "schedule/part_times.h"
#include "schedule/schedule.h"

struct matrix {
    struct part_times times; /* of this rank with its partners */
    struct matrix_report report;
    struct buffer pairs;      /* of the report, on rank 0 */
    struct meetings meetings; /* of pair_bw */
    bool both;                /* windows go both ways at the same time */
};

static inline struct matrix *matrix_of(const struct bench_run *r)
{
    return r->family;
}

/* The rounds of an iteration: all, or the one that a turn of the verification has, whose
   messages each have memory of their own. */
static inline int matrix_first(const struct bench_run *r)
{
    return r->turn > 0 ? r->turn - 1 : 0;
}

static inline int matrix_end(const struct bench_run *r, int rounds)
{
    return r->turn > 0 ? r->turn : rounds;
}

extern const struct family matrix_family, bandwidth_family;

/* Each rank sends a block to each other rank, or a window. */
extern const struct flow flow_every_pair, flow_windows_of_pairs;

/* A lap is a round trip with each partner; half of one is printed.  Or windows. */
extern const struct report report_pair_matrix, report_pair_bandwidth;

#endif
