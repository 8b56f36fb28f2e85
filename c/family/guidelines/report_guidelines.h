/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_guidelines.h - the tables of guidelines: the time of the native operation and of
 *                       each mock-up, and the ratio to the best.  Their headings are the
 *                       names of the operations.
 */
#ifndef REPORT_GUIDELINES_H
#define REPORT_GUIDELINES_H

#include "report/report.h"

extern const struct report report_allgather_guideline,
    report_allreduce_guideline, report_alltoall_guideline,
    report_bcast_guideline, report_gather_guideline, report_reduce_guideline,
    report_reduce_scatter_block_guideline, report_scan_guideline,
    report_scatter_guideline;

/* The name of number i of its operations; NULL: it has fewer. */
const char *report_guideline_name(const struct report *report, int i);

#endif
