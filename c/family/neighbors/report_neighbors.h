/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_neighbors.h - the tables of neighbourhood collectives; OMB's lines on the
 *                      topology stand before them.
 */
#ifndef REPORT_NEIGHBORS_H
#define REPORT_NEIGHBORS_H

#include "report/report.h"

extern const struct report report_neighbors, /* as report_collective */
    report_neighbors_overlap;                /* as report_overlap */

#endif
