/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * matrix_report.h - who is slow, said after the rows: a line for each kind of path
 *                   and for each rank, node or pair that is slow, by size; and
 *                   the same of each row in JSON.
 */
#ifndef MATRIX_REPORT_H
#define MATRIX_REPORT_H

#include <stdio.h>

#include "base/fields.h"
#include "pair_times.h"
#include "report/result.h"
#include "stragglers.h"

struct context;

/* The pairs of the row, and lines of the rows so far, until the table is over. */
struct matrix_report {
    bool several_types; /* have rows, so that a line says which */
    bool judged; /* the row under way, on rank 0: what follows is known */
    struct all_pairs pairs;
    struct stragglers slow;
    FILE *to; /* what is said so far; NULL: nothing */
    char *text;
    size_t size;
};

/* Judge the pairs of the row that was measured: for its record and for a line.
   Collective; valid until the next row. */
void matrix_report_row(struct matrix_report *m, const struct context *c,
                       const struct pair_times *times,
                       const struct result *result);

/* The field "pairs" of the row; with every pair where there are few, or all are
   wanted. */
void matrix_report_record(const struct matrix_report *m, bool all,
                          struct fields to);

/* Print the lines; by_chance: ranks took turns on the CPUs. */
void matrix_report_print(struct matrix_report *m, FILE *to, bool by_chance);

/* Give back all memory, on every rank. */
void matrix_report_end(struct matrix_report *m);

#endif
