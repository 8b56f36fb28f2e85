/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * matrix.h - a family: each rank measures with each other rank, and slow ranks
 *            are found.
 *
 * A lap has one meeting with each partner (round_robin.h).  The loop marks
 * where the timed part of a meeting begins and ends (pair_times.h).  After a
 * row rank 0 collects the times of all pairs and judges them (stragglers.h).
 * The result is printed after the table and written to the row in JSON
 * (matrix_report.h).
 */
#ifndef MATRIX_H
#define MATRIX_H

#include "data/flow.h"
#include "family.h"
#include "loop.h"
#include "matrix_report.h"
#include "pair_times.h"
#include "report/report.h"
#include "round_robin.h"

struct matrix {
    struct pair_times times; /* times of this rank with its partners */
    struct matrix_report report;
};

static inline struct matrix *matrix_of(const struct bench_run *r)
{
    return r->family;
}

extern const struct family matrix_family;

/* Each rank sends a block to each other rank. */
extern const struct flow flow_every_pair;

/* A lap is a round trip with each partner; half of one is printed. */
extern const struct report report_pair_matrix;

#endif
