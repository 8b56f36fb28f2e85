/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * job.h - one job, from the placement of its ranks to its last row.
 */
#ifndef JOB_H
#define JOB_H

#include "sweep.h"

/*
 * Find out where the ranks are and choose and synchronise the clocks; say what
 * is to be said beforehand; then measure and print.  Partners are prepared and
 * the record is open; buffers are given back.  Collective; every rank gets the
 * code to leave with.
 */
enum exit_code job_run(struct sweep *s, int argc, char **argv);

#endif
