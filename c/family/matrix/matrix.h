/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * matrix.h - a family: every rank with every other, and who is slow.
 *
 * A lap has one meeting with each partner (round_robin.h).  The loop notes when
 * what is timed of a meeting begins and ends (pair_times.h); after a row the
 * times of all pairs are brought together and judged (stragglers.h), which makes
 * lines after the table and a field of the row in JSON (matrix_report.h).
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
    struct pair_times times; /* of this rank with its partners */
    struct matrix_report report;
};

static inline struct matrix *matrix_of(const struct bench_run *r)
{
    return r->family;
}

extern const struct family matrix_family;

/* Every rank's block to every other. */
extern const struct flow flow_every_pair;

/* A lap is a round trip with each partner; half of one is shown. */
extern const struct report report_pair_matrix;

#endif
