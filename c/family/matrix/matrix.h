/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * matrix.h - a family: each rank measures with each other rank, and slow ranks
 *            are found.
 *
 *   matrix_family     times: pair_matrix
 *   bandwidth_family  bandwidths: pair_bw (pair_bandwidth.h)
 *
 * A lap has one meeting with each partner (round_robin.h, meetings.h).  The loop
 * marks where the timed part of a meeting begins and ends (pair_times.h).  After a
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
#include "meetings.h"
#include "pair_times.h"
#include "report/report.h"
#include "round_robin.h"

struct matrix {
    struct pair_times times; /* times of this rank with its partners */
    struct matrix_report report;
    MPI_Comm comm;            /* of the ranks that take part */
    struct meetings meetings; /* of pair_bw */
    bool both;                /* windows go both ways at the same time */
};

static inline struct matrix *matrix_of(const struct bench_run *r)
{
    return r->family;
}

/* Bring all ranks together once more within a lap, which is late if they were late for
   any part of it. */
static inline void matrix_sync(struct bench_run *r)
{
    const bool late = r->laps.late;

    bench_sync(r);
    r->laps.late |= late;
}

extern const struct family matrix_family;

/* Each rank sends a block to each other rank. */
extern const struct flow flow_every_pair;

/* A lap is a round trip with each partner; half of one is printed. */
extern const struct report report_pair_matrix;

/* Hooks that the families share, and what their ready does: so many partners. */
enum exit_code matrix_begin(const struct context *c, int partners,
                            struct matrix_unit unit);
void matrix_memory(const struct context *c, struct buffers *b);
void matrix_forget(struct bench_run *r, bool before, bool batch);
void matrix_measured(const struct context *c, struct row *row,
                     struct result *result);
void matrix_after(FILE *to, const struct context *c, const struct rows *rows);
void matrix_record_row(const struct context *c, const struct result *result,
                       struct fields *to);
void matrix_end(const struct context *c);

#endif
