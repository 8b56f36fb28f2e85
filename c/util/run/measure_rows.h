/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measure_rows.h - measure and print every row, and those that --refine adds.
 */
#ifndef MEASURE_ROWS_H
#define MEASURE_ROWS_H

#include "data/validation_log.h"
#include "record/output.h"
#include "sampling/measure.h"
#include "setup.h"

/* What rows are measured with; all of it outlives the rows. */
struct stage {
    const struct context *context;
    struct setup *setup;
    struct measure *measure;
    struct output *output;
    struct validation_log *log;
};

/* Collective; EXIT_OK, or the code to leave with.  *complete: no row was left
   out for want of time. */
enum exit_code measure_rows(const struct stage *stage, struct rows *rows,
                            bool *complete);

#endif
