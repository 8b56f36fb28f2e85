/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * matrix_report.h - who is slow, said behind the rows: a line for each kind of path and
 *                   for each rank, node or pair that is slow, by size.
 */
#ifndef MATRIX_REPORT_H
#define MATRIX_REPORT_H

#include <stdio.h>

#include "pair_times.h"
#include "report/result.h"
#include "loop.h"

/* The pairs of the row, and lines of the rows so far, until the table is over. */
struct matrix_report {
    int types;      /* of which rows are measured */
    bool by_chance; /* ranks took turns on the CPUs */
    struct matrix_times times;
    struct pairwise judged;
    FILE *to;
    char *text;
    size_t size;
};

/* Judge the pairs of the row that was measured, if it has any: for the record and for
   a line.  Collective; valid until the next row. */
void matrix_report_row(struct matrix_report *m, const struct bench_run *r,
                       const struct placement *placement,
                       struct result *result);

/* Print the lines, and give back all memory. */
void matrix_report_print(struct matrix_report *m, FILE *to);

#endif
