/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * job.h - one run of a program as one object, whose parts are filled in this order.
 */
#ifndef JOB_H
#define JOB_H

#include "data/validation_log.h"
#include "data/verify.h"
#include "gpu/gpu_use.h"
#include "job/world.h"
#include "machine/carriers.h"
#include "machine/devices.h"
#include "machine/environment.h"
#include "machine/placement.h"
#include "record/output.h"
#include "report/plausible.h"
#include "sampling/measure.h"
#include "setup.h"
#include "timing/clock_sync.h"

struct job {
    struct context context; /* what all else sees of it: leads to its parts */

    struct gpu_use gpu; /* start_mpi */
    struct world world;

    struct setup setup; /* setup_describe, then setup_partners */
    struct placement_talk talk;

    struct placement
        placement; /* look_around; node MPI_COMM_NULL: not known yet */
    struct environment environment;
    struct gpu_rank *gpus;
    struct clock_facts clock;
    struct clock_sync sync;
    struct plausible_limits limits;
    struct carriers carriers;
    bool counting; /* carriers is in use */
    char device
        [DEVICE_NAMES]; /* that carries bytes between nodes; "": unknown */
    char identity[384]; /* what is measured, as the first line says it */

    struct rows rows;         /* rows_list_fitting */
    struct result *verifying; /* verify_row: the row, and where its data lie */
    struct verify verify;

    struct counters counters; /* where figures come from, and where they go */
    struct measure measure;
    struct validation_log log;
    struct output output;
};

#endif
