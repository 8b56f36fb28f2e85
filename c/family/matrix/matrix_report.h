/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * matrix_report.h - reports slow ranks, nodes and pairs.
 *
 * After the rows there is a line for each kind of path, and for each rank, node
 * or pair that is slow, by size.  Each row in JSON has the same.
 */
#ifndef MATRIX_REPORT_H
#define MATRIX_REPORT_H

#include <stdio.h>

#include "base/fields.h"
#include "report/result.h"
#include "sampling/over_ranks.h"
#include "schedule/lines.h"
#include "stragglers.h"

struct context;

/* The pairs of the row under way, and the lines of all rows so far, which are
   kept until the table is complete. */
struct matrix_report {
    /* That a pair moves in its time, for a bandwidth; 0: half of the time is printed */
    int messages;
    double bytes; /* of these messages */
    bool judged;  /* rank 0: the fields below are of this row */
    struct all_pairs pairs;
    struct stragglers slow;
    struct extreme
        pair; /* the slowest pair, in one direction; ranks in the job */
    struct extreme tenth; /* the slowest tenth of the row, of any pair */
    double pair_mb_per_s, tenth_mb_per_s; /* of these two; NAN: not known */
    struct lines lines;                   /* so far; on rank 0 */
};

/* Judge the pairs of the row that was measured, of the ranks of comm: for its record and
   for a line; neither if all iterations were late.  Collective over comm; valid until the next row. */
void matrix_report_row(struct matrix_report *m, const struct context *c,
                       MPI_Comm comm, struct part_times *times,
                       const struct result *result);

/* Write the field "pairs" of the row.  It has every pair if there are few
   ranks, or if all is set. */
void matrix_report_record(const struct matrix_report *m, bool all,
                          struct fields to);

/* Print the lines; by_chance: ranks took turns on the CPUs. */
void matrix_report_print(struct matrix_report *m, FILE *to, bool by_chance);

/* Give back all memory, on every rank. */
void matrix_report_end(struct matrix_report *m);

#endif
