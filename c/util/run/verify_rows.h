/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * verify_rows.h - each row once, untimed and verified, before any is measured.
 */
#ifndef VERIFY_ROWS_H
#define VERIFY_ROWS_H

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

/*
 * One untimed iteration of every row, with known contents: it opens connections, so
 * that no first use colours a row, and shows whether every rank receives what was sent
 * to it.  Collective; EXIT_OK, or the code to
 * leave with.  With -c a wrong row does not end the run: rows ends with it.
 */
enum exit_code verify_rows(const struct stage *at, struct rows *rows);

#endif
