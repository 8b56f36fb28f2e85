/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measure_rows.h - verify, measure and print every row.
 */
#ifndef MEASURE_ROWS_H
#define MEASURE_ROWS_H

#include "job.h"

/* job->rows.left_out: no time was left for these.  Collective; EXIT_OK, or the code to
   leave with. */
enum exit_code measure_rows(struct job *job);

#endif
