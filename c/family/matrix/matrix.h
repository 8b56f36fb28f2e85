/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * matrix.h - a family: each rank measures with each other rank, and slow ranks
 *            are found.
 *
 *   matrix_family     times: pair_matrix
 *   bandwidth_family  bandwidths: pair_bw, with --every, --ways, --alone, --rounds, -W
 *
 * An iteration has one meeting with each partner.  The loop marks where the timed part of a meeting
 * begins and ends (schedule.h).  After a row rank 0 collects the times of all pairs and judges them
 * (stragglers.h).  After the rows there is a line for each kind of path, and for each rank, node or
 * pair that is slow, by size.  Each row in JSON has the same.
 *
 * The bandwidth of a pair is the payload of a window in one direction by its time, which the rank
 * that sends first measures.  With --ways=both both ranks send a window at the same time, and both
 * measure; the value is still of one direction, so that a link that carries both at full rate shows
 * the same value as with --ways=one.
 *
 * In an iteration each rank adds up the times of its pairs.  The mean of that is the mean time of a
 * pair, times the mean number of partners: with --rounds and an odd number of ranks some ranks have
 * one partner fewer.
 */
#ifndef MATRIX_H
#define MATRIX_H

#include <stdbool.h>

#include "data/flow.h"
#include "data/memory.h"
#include "family.h"
#include "meetings.h"
#include "report/report.h"
#include "run/measure.h"
#include "schedule/schedule.h"
#include "stragglers.h"

struct matrix {
    struct part_times times;  /* of this rank with its partners */
    struct meetings meetings; /* of pair_bw */
    bool both;                /* windows go both ways at the same time */
    /* That a pair moves in its time, for a bandwidth; 0: half of the time is printed */
    int messages;
    double bytes; /* of these messages */

    /* Of the row under way; on rank 0 */
    bool judged;          /* false: the others say nothing of it */
    struct buffer memory; /* of pairs */
    struct all_pairs pairs;
    struct stragglers slow;
    struct extreme pair;                  /* the slowest pair, in one direction; ranks in the job */
    struct extreme tenth;                 /* the slowest tenth of the row, of any pair */
    double pair_mb_per_s, tenth_mb_per_s; /* of these two; NAN: not known */
    struct lines lines;                   /* of all rows so far */
};

FAMILY_OF(bench_run, struct matrix, matrix_of)

extern const struct family matrix_family, bandwidth_family;

/* Each rank sends a block to each other rank, or a window. */
extern const struct flow flow_every_pair, flow_windows_of_pairs;

/* An iteration is a round trip with each partner; half of one is printed.  Or windows. */
extern const struct report report_pair_matrix, report_pair_bandwidth;

#endif
