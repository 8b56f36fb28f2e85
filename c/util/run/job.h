/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * job.h - one run of a program as one object, whose parts are filled in this order.
 */
#ifndef JOB_H
#define JOB_H

#include "data/verify.h"
#include "job/world.h"
#include "machine/placement.h"
#include "prepare.h"
#include "report/output.h"
#include "sampling/measure.h"
#include "timing/clock_sync.h"
#include "watch.h"

struct job {
    struct context context; /* what all else sees of it, and leads to its parts */

    struct world world; /* start_mpi */

    struct setup setup; /* setup_describe, then setup_partners */
    struct placement_talk talk;

    /* look_around, but for the nodes; node MPI_COMM_NULL: not known yet */
    struct placement placement;
    struct clock_facts clock;
    struct clock_sync sync;
    struct plausible_limits limits;
    struct surroundings around; /* found by watchers */
    char identity[384];         /* what is measured, as the first line says it */

    struct rows rows;         /* rows_list */
    struct result *verifying; /* verify_row: the row, and where its data lie */
    struct verify verify;

    struct measure measure; /* where figures come from, and where they go */
    struct report_table table;
};

/* Verify, measure and print every row.  job->rows.left_out: no time was left for these.
   Collective; EXIT_OK, or the code to leave with. */
enum exit_code measure_rows(struct job *job);

#endif
